package web

import (
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// sameOrders lists orders as a program sends them, and as a person fills in the form.
var sameOrders = []struct{ order, form string }{
	{`{"rules":"dilemma","seats":["human","casual"],"hints":true}`, "book=dilemma&opponent=computer&level=casual&hints=computer"},
	{`{"rules":"dilemma","seats":["human","friend"],"names":["Ada","Ben"],"hints":true}`, "book=dilemma&opponent=friend&name=Ada&other_name=Ben&hints=always"},
	{`{"rules":"highest","seats":["human","anyone"],"first":2}`, "book=highest&opponent=anyone&first=2&hints=never"},
	{`{"rules":"reverse","seats":["expert","novice"],"names":["","Ben"]}`, "book=reverse&opponent=computers&other_level=expert&level=novice&other_name=Ben"},
	{`{"rules":"dilemma","seats":["human","friend"],"best_of":3,"turn_time":"30s","on_timeout":"random"}`, "book=dilemma&opponent=friend&best_of=3&turn_time=30s&on_timeout=random"},
	{`{"rules":"dilemma","seats":["human","friend"],"best_of":99,"turn_time":"1m45s"}`, "book=dilemma&opponent=friend&best_of=other&best_of-other=99&turn_time=other&turn_time-other=1m45s"},
	{`{"rules":"divisibility target=13","seats":["human","friend"]}`, "book=divisibility&opponent=friend&aim=13"},
	{`{"rules":"divisibility target=29","seats":["human","friend"]}`, "book=divisibility&opponent=friend&aim=other&aim-other=29"},
	{`{"rules":"sevens","seats":["human","friend"],"best_of":5,"auto_call":true,"targets":"7,11"}`, "book=sevens&opponent=friend&best_of=5&auto_call=on&targets=7,11"},
	{`{"rules":"dilemma target=9 pool=0-8 width=4 zero=barred final=higher","seats":["human","friend"]}`, "book=dilemma&opponent=friend&target=9&pool=0-8&width=4&zero=barred&final=higher"},
	{`{"rules":"divisibility target=11 place=hand width=3 win=full","seats":["human","friend"]}`, "book=divisibility&opponent=friend&rules=divisibility+target=11+place=hand+width=3+win=full"},
	{`{"rules":"divisibility win=full place=ends","seats":["human","friend"]}`, "book=divisibility&opponent=friend&aim=7&win=full&place=ends"},
	{`{"rules":"seesaw","seats":["human","friend"]}`, "book=seesaw&opponent=friend"},
	{`{"rules":"tug","seats":["human","friend"]}`, "book=tug&opponent=friend"},
	{`{"rules":"dilemma","seats":["human","friend"],"pair":true}`, "book=dilemma&opponent=friend&best_of=pair"},
	{`{"rules":"dilemma","seats":["human","friend"],"swap":true}`, "book=dilemma&opponent=friend&start=swap"},
	{`{"rules":"dilemma","seats":["human","friend"],"pair":true,"swap":true}`, "book=dilemma&opponent=friend&best_of=pair&start=swap"},
	{`{"rules":"highest","seats":["human","friend"],"lot":true}`, "book=highest&opponent=friend&start=lot"},
	{`{"rules":"dilemma","seats":["human","friend"],"toss":true}`, "book=dilemma&opponent=friend&first=toss"},
}

// TestFormAndAPIAgree checks that the form and the API can open the same tables: each pair of
// sameOrders opens equal tables, and together they use every field of the form and the document.
func TestFormAndAPIAgree(t *testing.T) {
	h := newTestServer(t)
	ordered, filled := map[string]bool{}, map[string]bool{}
	for _, o := range sameOrders {
		var asked map[string]any
		if err := json.Unmarshal([]byte(o.order), &asked); err != nil {
			t.Fatal(err)
		}
		for field := range asked {
			ordered[field] = true
		}
		values, err := url.ParseQuery(o.form)
		if err != nil {
			t.Fatal(err)
		}
		var choices []string
		for field := range values {
			filled[field] = true
			if field != "book" {
				choices = append(choices, field+"="+values.Get(field))
			}
		}
		byOrder := h.state(h.open(o.order).id).Setup
		b := h.browser(t).get("/new?book=" + values.Get("book"))
		byForm := h.state(b.press("button[class=main]", choices...).id()).Setup
		for _, s := range []*match.Setup{&byOrder, &byForm} {
			if s.Seals = [2]string{}; asked["toss"] == true {
				s.First = match.One
			}
			if asked["lot"] == true && s.Openings != "" {
				s.Openings = "drawn"
			}
		}
		if byOrder != byForm {
			t.Errorf("%s opens %+v\n%s opens %+v", o.order, byOrder, o.form, byForm)
		}
	}
	var document struct {
		Components struct {
			Schemas struct {
				Order struct{ Properties map[string]any }
			}
		}
	}
	if err := json.Unmarshal([]byte(h.ask("GET", "/api/openapi.json", "", "").text),
		&document); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(ordered)),
		slices.Sorted(maps.Keys(document.Components.Schemas.Order.Properties)); !slices.Equal(got, want) {
		t.Errorf("the orders have the fields %v, the document has %v", got, want)
	}
	offered := map[string]bool{}
	for _, book := range digit.Books {
		h.browser(t).get("/new?book=" + book.Name).page.one("form[id=new]").each(func(e *element) {
			if name := e.attrs["name"]; name != "" && (e.name == "input" || e.name == "select") {
				offered[name] = true
			}
		})
	}
	// The home page has some of these fields, and buttons.
	h.browser(t).get("/").page.one("form[id=start]").each(func(e *element) {
		if name := e.attrs["name"]; name != "" && e.name != "button" && !offered[name] {
			t.Errorf("the home page has the field %s, but the form does not", name)
		}
	})
	if got, want := slices.Sorted(maps.Keys(filled)),
		slices.Sorted(maps.Keys(offered)); !slices.Equal(got, want) {
		t.Errorf("the tests fill in %v, but the forms have %v", got, want)
	}
}

// TestTossByAPI checks a toss by the API: either player may start, a repeated order gets the same
// result, and it excludes a choice of the first player.
func TestTossByAPI(t *testing.T) {
	h := newTestServer(t)
	fell := map[match.Seat]bool{}
	for n := range 64 {
		key := "Idempotency-Key: " + strings.Repeat("k", 16+n)
		id := h.ask("POST", "/api/tables", "", `{"rules":"dilemma","toss":true}`,
			key).field("id").(string)
		if again := h.ask("POST", "/api/tables", "", `{"rules":"dilemma","toss":true}`,
			key).field("id"); again != id {
			t.Errorf("the same order opens %s and %s", id, again)
		}
		fell[h.state(id).Setup.First] = true
	}
	if len(fell) != 2 {
		t.Errorf("64 tosses gave only %v", fell)
	}
	fell = map[match.Seat]bool{}
	for range 64 {
		fell[h.state(h.open(`{"rules":"dilemma","toss":true}`).id).Setup.First] = true
	}
	if len(fell) != 2 {
		t.Errorf("64 tosses without a key gave only %v", fell)
	}
	for _, first := range []string{"1", "2"} {
		got := h.ask("POST", "/api/tables", "", `{"rules":"dilemma","first":`+first+`,"toss":true}`)
		const want = "422 first and toss exclude each other: leave out one of them"
		if got.String() != want {
			t.Errorf("first %s: got %s, want %s", first, got, want)
		}
	}
	if got, want := h.ask("POST", "/api/tables", "", `{"rules":"dilemma","class":"c"}`).String(),
		`400 invalid body: unknown field "class"`; got != want {
		t.Errorf("a table with a class: got %s, want %s", got, want)
	}
}
