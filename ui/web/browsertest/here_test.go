package browsertest_test

import (
	"strings"
	"testing"
)

// TestNetwork opens tables on the machine of the server: the link and the code are those of the address that is chosen, or it is said
// how to let phones in.
func TestNetwork(t *testing.T) {
	t.Parallel()
	alone := atTown(t).visit(t, "Ben")
	alone.open("/here")
	alone.reads(".alone", "Only this computer can open that address.")
	_, port, _ := strings.Cut(atTown(t).address, ":")
	alone.reads(".alone", "duel serve --addr :"+port)

	h := openHouse(t, 0)
	if err := h.stop(); err != nil {
		t.Fatal(err)
	}
	h.reach = []string{h.address, "192.168.7.5:8080", "10.0.0.7:8080"}
	if err := h.start(); err != nil {
		t.Fatal(err)
	}
	v := visitAnew(t, h.address, "Ada")
	v.open("/")
	v.start("dilemma", "friend")
	v.sees("#invite-link")
	for i, want := range []string{"http://192.168.7.5:8080/t/", "http://10.0.0.7:8080/t/", "http://" + h.address + "/t/"} {
		if i > 0 {
			v.click(`[name=way][value="` + string(rune('0'+i)) + `"]`)
		}
		links := ask[[]string](v, `() => [...document.querySelectorAll('.way input')].filter(e => e.checkVisibility()).map(e => e.value)`)
		codes := ask[[]string](v, `() => [...document.querySelectorAll('.way .ink')].filter(e => e.checkVisibility()).map(e => e.getAttribute('d'))`)
		if len(links) != 1 || len(codes) != 1 || !strings.HasPrefix(links[0], want) {
			t.Errorf("choice %d shows %d codes and %q, want %s", i, len(codes), links, want)
		}
	}
	v.open("/here")
	if got := v.text(".address"); got != "192.168.7.5:8080" || v.there(".alone") {
		t.Errorf("the address is %q", got)
	}
	for _, size := range screens {
		v.size(size[0], size[1])
		v.fits(size[0])
		v.axe("the room", false)
	}
}
