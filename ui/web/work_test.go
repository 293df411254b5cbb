package web

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/solve"
	"digitduel/ui/gate"
)

// At some addresses.
const (
	here  = "X-Forwarded-For: 203.0.113.1"
	there = "X-Forwarded-For: 203.0.113.2"
)

// TestWork has much worked out for an address: until that is paid off it has nothing more worked out but for books, and others do.
func TestWork(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		small := h.open(`{"rules":"dilemma target=9","seats":["human","casual"],"hints":true}`)
		book := h.open(`{"rules":"dilemma","seats":["human","casual"],"hints":true}`)
		for _, purse := range []string{gate.Solving, gate.Explaining} {
			h.Charge(purse, "203.0.113.1", 3*time.Second) // of 2 that it had
		}
		const want = "429 your address has used up its share of computing, which large games take much of; try again in 5 s"
		order := func(rules string) string { return fmt.Sprintf(`{"rules":%q,"seats":["human","casual"]}`, rules) }
		refused := func(headers ...string) (all []reply) {
			return []reply{
				h.ask("GET", small.path+"/hint", small.tokens[0], "", headers...),
				h.ask("POST", small.path+"/moves", small.tokens[0], `{"move":"7a"}`, headers...),
				h.ask("POST", "/api/tables", "", order("dilemma target=11"), headers...),
			}
		}
		for i, got := range refused(here) {
			if got.String() != want || got.header.Get("Retry-After") != "5" {
				t.Errorf("request %d: got %v, Retry-After %s, want %s", i+1, got, got.header.Get("Retry-After"), want)
			}
		}
		for i, got := range []reply{
			h.ask("GET", book.path+"/hint", book.tokens[0], "", here),
			h.ask("POST", book.path+"/moves", book.tokens[0], `{"move":"7a"}`, here),
			h.ask("POST", "/api/tables", "", order("dilemma"), here),
			h.ask("POST", "/api/tables", "", `{"rules":"dilemma target=11"}`, here), // for two
			h.ask("POST", small.path+"/acts", small.tokens[0], `{"act":"no-hints"}`, here),
			h.ask("POST", small.path+"/acts", small.tokens[0], `{"act":"hints"}`, here),
		} {
			if got.status >= 300 {
				t.Errorf("request %d that costs nothing: %v", i+1, got)
			}
		}
		for i, got := range refused(there) {
			if got.status >= 300 {
				t.Errorf("request %d of another address: %v", i+1, got)
			}
		}
		time.Sleep(5 * time.Second)
		if got := h.ask("GET", small.path+"/hint", small.tokens[0], "", here); got.status != http.StatusOK {
			t.Errorf("after 5 s: %v", got)
		}
	}, func(p *testConfig) { p.Limits.Work, p.TrustProxy = 0.2, true })
}

// TestWorkTold holds what pages say to someone for whom nothing more is worked out: the rest of the page.
func TestWorkTold(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) { p.Limits.Work = 0.2 })
	ada, _ := h.pair(t, "dilemma target=9", "hints=always")
	over := h.open(`{"rules":"dilemma target=9"}`)
	over.play("1:7a 2:resign")
	h.Charge(gate.Explaining, "192.0.2.7", time.Minute)
	if got := ada.get("/t/" + ada.id() + "?hint=1"); got.status != http.StatusOK || !strings.Contains(got.textOf("section[id=hint]"), "Your address has used a lot of computing time") {
		t.Errorf("%d: the hint is %q", got.status, got.textOf("section[id=hint]"))
	}
	b := h.browser(t).get("/t/" + over.id + "/games/1")
	if got := b.textOf("section[aria-labelledby=moves-name]"); b.status != http.StatusOK || !strings.Contains(got, "Your address has used a lot of computing time") {
		t.Errorf("%d: the review is %q", b.status, got)
	}
}

// ticking returns a clock by which anything takes a hundredth of a second or more.
func ticking() func() time.Time {
	start, ticks := time.Now(), new(atomic.Int64)
	return func() time.Time { return start.Add(time.Duration(ticks.Add(1)) * 10 * time.Millisecond) }
}

// TestCharged holds that what is worked out costs its time, for anyone who made it be worked out.
func TestCharged(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) {
		p.Limits.Work, p.TrustProxy, p.Solver, p.Now = 1e-9, true, new(solve.Solver), ticking()
	})
	spent := func(address string) bool {
		return h.Afford(gate.Explaining, address) != nil || h.Afford(gate.Solving, address) != nil
	}
	table := h.open(`{"rules":"dilemma target=11","hints":true}`)
	over := h.open(`{"rules":"dilemma target=11"}`)
	over.play("1:7a 2:resign")
	for i, ask := range []func(from string) reply{
		func(from string) reply { return h.ask("GET", table.path+"/hint", table.tokens[0], "", from) },
		func(from string) reply { return h.ask("GET", "/t/"+over.id+"/games/1", "", "", from) },
		func(from string) reply {
			return h.ask("POST", "/api/tables", "", `{"rules":"dilemma target=9 width=4","seats":["casual","human"]}`, from)
		},
	} {
		address := fmt.Sprintf("203.0.113.%d", 10+i)
		if got := ask("X-Forwarded-For: " + address); got.status >= 300 || !spent(address) {
			t.Errorf("request %d: %v, which was paid for: %v", i+1, got, spent(address))
		}
	}
	const payer = "203.0.113.20" // who made it the computer's turn in a game that is not solved any more
	h.Pays("t", payer)
	rules, err := digit.ParseRules("dilemma target=13 width=4")
	if err == nil {
		_, err = h.SolvedAt(t.Context(), "t", rules)
	}
	if err != nil || !spent(payer) {
		t.Errorf("the computer's turn was paid for: %v; %v", spent(payer), err)
	}
}

// TestQueue has large games wait: each has a place that is shown and kept, an address has two of them, and small games do not wait.
func TestQueue(t *testing.T) {
	goOn := make(chan struct{})
	inBubble(t, func(t *testing.T, h *testServer) {
		goOn = make(chan struct{})
		order := func(rules string) string { return fmt.Sprintf(`{"rules":%q,"seats":["human","casual"]}`, rules) }
		var asked sync.WaitGroup
		for i, test := range []struct{ rules, from, want string }{
			{"dilemma pool=0-c width=4", here, "503 the game is large and has to be solved first: place 1 in the queue; ask again in 5 s"},
			{"dilemma pool=0-d width=4", there, "503 the game is large and has to be solved first: place 2 in the queue; ask again in 5 s"},
			{"dilemma pool=0-d width=4", here, "503 the game is large and has to be solved first: place 2 in the queue; ask again in 5 s"}, // for which the other one pays
			{"dilemma pool=1-d width=4", here, "503 the game is large and has to be solved first: place 3 in the queue; ask again in 5 s"},
			{"dilemma pool=0-e width=4", here, "429 too many large games to be solved for your address; try again in 5 s"},
			{"dilemma target=9", here, "201 "},
		} {
			asked.Go(func() {
				if got := h.ask("POST", "/api/tables", "", order(test.rules), test.from); !strings.HasPrefix(got.String(), test.want) {
					t.Errorf("request %d: got %v, want %s", i+1, got, test.want)
				}
			})
			synctest.Wait()
		}
		began := time.Now()
		asked.Wait()
		if took := time.Since(began); took != 15*time.Second {
			t.Errorf("they are told after %v, want 15 s", took)
		}
		over := h.open(`{"rules":"dilemma pool=1-d width=4"}`)
		over.play("1:7a 2:resign")
		b := h.browser(t).get("/t/" + over.id + "/games/1")
		if got, want := b.textOf("section[aria-labelledby=moves-name]"), "place 3 in the queue. Try again in 5 seconds."; b.status != http.StatusOK || !strings.Contains(got, want) {
			t.Errorf("%d: the review is %q, want %q", b.status, got, want)
		}
		close(goOn)
		time.Sleep(10 * time.Minute) // in which is paid off what they took, as time goes in this test
		if got := h.ask("POST", "/api/tables", "", order("dilemma pool=1-d width=4"), here); got.status != http.StatusCreated {
			t.Errorf("a game that was waited for: %v", got)
		}
	}, func(p *testConfig) {
		p.Limits.Work, p.TrustProxy = 0.2, true
		p.Solver = &solve.Solver{Config: solve.Config{Progress: func(_, total int64) {
			if total > 2_500_000 { // and no small game
				<-goOn
			}
		}}}
	})
}

// TestConnections has one address connect too often.
func TestConnections(t *testing.T) {
	for _, proxy := range []bool{false, true} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		h := newTestServer(t, func(p *testConfig) { p.Limits.ConnectionsOfAddress, p.TrustProxy = 2, proxy })
		server := &http.Server{Handler: h.Server}
		go server.Serve(h.Accepting(l)) //nolint:errcheck // until it is closed
		defer server.Close()
		ask := func() (net.Conn, string) {
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprint(c, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
			line, _ := bufio.NewReader(c).ReadString('\n')
			return c, strings.TrimSpace(line)
		}
		first, _ := ask()
		second, told := ask()
		third, refused := ask()
		want := "" // it is closed
		if proxy {
			want = "HTTP/1.1 200 OK"
		}
		if told != "HTTP/1.1 200 OK" || refused != want {
			t.Errorf("the second one is answered %q, the third one %q, want %q", told, refused, want)
		}
		first.Close()
		second.Close()
		third.Close()
		for again := false; !again && t.Context().Err() == nil; {
			c, told := ask()
			if again = told == "HTTP/1.1 200 OK"; !again && told != "" {
				t.Fatalf("a new connection is answered %q", told)
			}
			c.Close()
		}
	}
}

// TestBehindOwnWork asks for what takes work while other work of the same address is under way: it is waited for, and after a while the
// visitor is asked to come again. It is no fault of the server.
func TestBehindOwnWork(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma target=11","hints":true}`)
		for _, test := range []struct {
			what, turn string
			ask        func() reply
		}{
			{"a puzzle", "small", func() reply {
				return h.ask("POST", "/puzzle/random", "", "book=dilemma", here, "Content-Type: application/x-www-form-urlencoded")
			}},
			{"a hint", "small", func() reply { return h.ask("GET", table.path+"/hint", table.tokens[0], "", here) }},
		} {
			busy := func(d time.Duration) {
				leave, err := h.Turn(t.Context(), test.turn+" 203.0.113.1", 1, 0)
				if err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(d, leave)
			}
			busy(time.Minute)
			if got := test.ask(); got.status != http.StatusTooManyRequests || got.header.Get("Retry-After") != "2" {
				t.Errorf("%s behind a minute: %v, Retry-After %q", test.what, got, got.header.Get("Retry-After"))
			}
			time.Sleep(time.Minute)
			busy(searchTime + time.Second)
			if got := test.ask(); got.status >= 400 {
				t.Errorf("%s behind three seconds: %v", test.what, got)
			}
		}
		if strings.Contains(h.log.String(), "level=ERROR") {
			t.Error(h.log.String())
		}
	}, func(p *testConfig) { p.TrustProxy = true })
}

// TestGone has clients go while the store works for them, in each of its calls, whose error may then be any: none is a fault of ours.
func TestGone(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		pages := []struct{ request, token, body string }{{"GET /", "", ""}, {"GET /games", "", ""}, {"GET /t/{id}", "", ""}}
		for _, request := range append(pages, requests...) {
			if strings.HasSuffix(request.request, "/readyz") {
				continue // which is asked for everybody
			}
			for call, calls := 1, 1; calls >= call-1; call++ {
				order := `{"rules":"dilemma"}`
				if strings.HasSuffix(request.request, "/seats") {
					order = `{"rules":"dilemma","seats":["human","anyone"]}`
				}
				table := h.open(order)
				if strings.HasSuffix(request.request, "/moves") { // by a player who was gone while the other one listened
					go table.listen(t.Context(), table.tokens[1], "").rest()
					time.Sleep(12 * time.Second)
					synctest.Wait()
				}
				calls = 0
				ctx, leave := context.WithCancel(t.Context())
				h.memStore.breakWith(func() error {
					if calls++; calls < call {
						return nil
					}
					leave()
					return errors.New("interrupted")
				})
				fill := strings.NewReplacer("{id}", table.id, "{1}", table.tokens[0])
				method, path, _ := strings.Cut(fill.Replace(request.request), " ")
				r := httptest.NewRequestWithContext(ctx, method, path, strings.NewReader(request.body))
				r.Header.Set("Content-Type", "application/json")
				if request.token != "" {
					r.Header.Set("Authorization", "Bearer "+fill.Replace(request.token))
				}
				time.AfterFunc(time.Millisecond, leave) // a stream
				h.Server.ServeHTTP(httptest.NewRecorder(), r)
				leave()
				h.memStore.breakWith(nil)
				if _, fault, found := strings.Cut(h.log.String(), "level=ERROR"); found {
					t.Fatalf("%s, in call %d: %s", request.request, call, fault)
				}
			}
		}
	}, func(p *testConfig) { p.hall.Grace = 10 * time.Second })
}
