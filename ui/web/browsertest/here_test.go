package browsertest_test

import (
	"strings"
	"testing"
)

// TestNetwork opens pages on the server's own machine: the link and the QR code have the chosen
// address. A server without other addresses explains how to let phones in.
func TestNetwork(t *testing.T) {
	t.Parallel()
	alone := sharedServer(t).visit(t, "Ben")
	alone.open("/here")
	alone.reads(".alone", "Only this computer can open that address.")
	_, port, _ := strings.Cut(sharedServer(t).address, ":")
	alone.reads(".alone", "duel serve --addr :"+port)

	srv := newTestServer(t, 0)
	if err := srv.stop(); err != nil {
		t.Fatal(err)
	}
	srv.reach = []string{srv.address, "192.168.7.5:8080", "10.0.0.7:8080"}
	if err := srv.start(); err != nil {
		t.Fatal(err)
	}
	v := freshVisitor(t, srv.address, "Ada")
	v.open("/")
	v.start("dilemma", "friend")
	v.sees("#invite-link")
	for i, want := range []string{
		"http://192.168.7.5:8080/t/", "http://10.0.0.7:8080/t/", "http://" + srv.address + "/t/",
	} {
		if i > 0 {
			v.click(`[name=way][value="` + string(rune('0'+i)) + `"]`)
		}
		links := eval[[]string](v, `() => [...document.querySelectorAll('.way input')]
			.filter(e => e.checkVisibility()).map(e => e.value)`)
		codes := eval[[]string](v, `() => [...document.querySelectorAll('.way .ink')]
			.filter(e => e.checkVisibility()).map(e => e.getAttribute('d'))`)
		if len(links) != 1 || len(codes) != 1 || !strings.HasPrefix(links[0], want) {
			t.Errorf("choice %d shows %d codes and the links %q, want %s", i, len(codes), links, want)
		}
	}
	v.open("/here")
	if got := v.text(".address"); got != "192.168.7.5:8080" || v.there(".alone") {
		t.Errorf("the address is %q, want the first of the network", got)
	}
	for _, size := range screens {
		v.size(size[0], size[1])
		v.fits(size[0])
		v.axe("the room", false)
	}
}
