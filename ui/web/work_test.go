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

// Headers that send a request from one of two addresses.
const (
	here  = "X-Forwarded-For: 203.0.113.1"
	there = "X-Forwarded-For: 203.0.113.2"
)

// againstComputer returns an order for a table with a computer player.
func againstComputer(rules string) string {
	return fmt.Sprintf(`{"rules":%q,"seats":["human","casual"]}`, rules)
}

// TestWork charges an address for much work. Until that is paid off, requests that need work are
// refused, except for books and for other addresses.
func TestWork(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		small := h.open(`{"rules":"dilemma target=9","seats":["human","casual"],"hints":true}`)
		book := h.open(`{"rules":"dilemma","seats":["human","casual"],"hints":true}`)
		for _, purse := range []string{gate.Solving, gate.Explaining} {
			h.Charge(purse, "203.0.113.1", 3*time.Second) // it had 2
		}
		const want = "429 your address has used up its share of computing, " +
			"which large games take much of; try again in 5 s"
		refused := func(headers ...string) (all []reply) {
			return []reply{
				h.ask("GET", small.path+"/hint", small.tokens[0], "", headers...),
				h.ask("POST", small.path+"/moves", small.tokens[0], `{"move":"7a"}`, headers...),
				h.ask("POST", "/api/tables", "", againstComputer("dilemma target=11"), headers...),
			}
		}
		for i, got := range refused(here) {
			if got.String() != want || got.header.Get("Retry-After") != "5" {
				t.Errorf("request %d: got %v, Retry-After %s, want %s",
					i+1, got, got.header.Get("Retry-After"), want)
			}
		}
		for i, got := range []reply{
			h.ask("GET", book.path+"/hint", book.tokens[0], "", here),
			h.ask("POST", book.path+"/moves", book.tokens[0], `{"move":"7a"}`, here),
			h.ask("POST", "/api/tables", "", againstComputer("dilemma"), here),
			h.ask("POST", "/api/tables", "", `{"rules":"dilemma target=11"}`, here), // two people
			h.ask("POST", small.path+"/acts", small.tokens[0], `{"act":"no-hints"}`, here),
			h.ask("POST", small.path+"/acts", small.tokens[0], `{"act":"hints"}`, here),
		} {
			if got.status >= 300 {
				t.Errorf("free request %d: %v", i+1, got)
			}
		}
		for i, got := range refused(there) {
			if got.status >= 300 {
				t.Errorf("request %d from another address: %v", i+1, got)
			}
		}
		time.Sleep(5 * time.Second)
		got := h.ask("GET", small.path+"/hint", small.tokens[0], "", here)
		if got.status != http.StatusOK {
			t.Errorf("after 5 s: %v", got)
		}
	}, func(p *testConfig) { p.Limits.Work, p.TrustProxy = 0.2, true })
}

// TestWorkTold checks that pages say that an address has used up its work, and show the rest.
func TestWorkTold(t *testing.T) {
	h := newTestServer(t, func(p *testConfig) { p.Limits.Work = 0.2 })
	ada, _ := h.pair(t, "dilemma target=9", "hints=always")
	over := h.open(`{"rules":"dilemma target=9"}`)
	over.play("1:7a 2:resign")
	h.Charge(gate.Explaining, "192.0.2.7", time.Minute)
	const want = "Your address has used a lot of computing time"
	ada.get("/t/" + ada.id() + "?hint=1")
	if got := ada.textOf("section[id=hint]"); ada.status != http.StatusOK ||
		!strings.Contains(got, want) {
		t.Errorf("%d: the hint is %q", ada.status, got)
	}
	b := h.browser(t).get("/t/" + over.id + "/games/1")
	if got := b.textOf("section[aria-labelledby=moves-name]"); b.status != http.StatusOK ||
		!strings.Contains(got, want) {
		t.Errorf("%d: the review is %q", b.status, got)
	}
}

// ticking returns a clock that advances by 10 ms with each reading.
func ticking() func() time.Time {
	start, ticks := time.Now(), new(atomic.Int64)
	return func() time.Time {
		return start.Add(time.Duration(ticks.Add(1)) * 10 * time.Millisecond)
	}
}

// TestCharged checks that the time for work is charged to the address that caused it.
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
		func(from string) reply {
			return h.ask("GET", table.path+"/hint", table.tokens[0], "", from)
		},
		func(from string) reply { return h.ask("GET", "/t/"+over.id+"/games/1", "", "", from) },
		func(from string) reply {
			const order = `{"rules":"dilemma target=9 width=4","seats":["casual","human"]}`
			return h.ask("POST", "/api/tables", "", order, from)
		},
	} {
		address := fmt.Sprintf("203.0.113.%d", 10+i)
		if got := ask("X-Forwarded-For: " + address); got.status >= 300 || !spent(address) {
			t.Errorf("request %d: %v; it was charged: %v", i+1, got, spent(address))
		}
	}
	const payer = "203.0.113.20" // it made the move before the computer's turn
	h.Pays("t", payer)
	rules, err := digit.ParseRules("dilemma target=13 width=4")
	if err == nil {
		_, err = h.SolvedAt(t.Context(), "t", rules)
	}
	if err != nil || !spent(payer) {
		t.Errorf("the computer's turn was charged: %v; error %v", spent(payer), err)
	}
}

// TestQueue checks the queue of large games to be solved: each keeps its place, an address has at
// most two, and small games do not wait.
func TestQueue(t *testing.T) {
	release := make(chan struct{})
	inBubble(t, func(t *testing.T, h *testServer) {
		release = make(chan struct{})
		var asked sync.WaitGroup
		for i, test := range []struct{ rules, from, want string }{
			{"dilemma pool=0-c width=4", here, "503 the game is large and has to be solved first: place 1 in the queue; ask again in 5 s"},
			{"dilemma pool=0-d width=4", there, "503 the game is large and has to be solved first: place 2 in the queue; ask again in 5 s"},
			{"dilemma pool=0-d width=4", here, "503 the game is large and has to be solved first: place 2 in the queue; ask again in 5 s"}, // at the expense of the other address
			{"dilemma pool=1-d width=4", here, "503 the game is large and has to be solved first: place 3 in the queue; ask again in 5 s"},
			{"dilemma pool=0-e width=4", here, "429 too many large games to be solved for your address; try again in 5 s"},
			{"dilemma target=9", here, "201 "},
		} {
			asked.Go(func() {
				got := h.ask("POST", "/api/tables", "", againstComputer(test.rules), test.from)
				if !strings.HasPrefix(got.String(), test.want) {
					t.Errorf("request %d: got %v, want %s", i+1, got, test.want)
				}
			})
			synctest.Wait()
		}
		began := time.Now()
		asked.Wait()
		if took := time.Since(began); took != 15*time.Second {
			t.Errorf("they are answered after %v, want 15 s", took)
		}
		over := h.open(`{"rules":"dilemma pool=1-d width=4"}`)
		over.play("1:7a 2:resign")
		b := h.browser(t).get("/t/" + over.id + "/games/1")
		const want = "place 3 in the queue. Try again in 5 seconds."
		if got := b.textOf("section[aria-labelledby=moves-name]"); b.status != http.StatusOK ||
			!strings.Contains(got, want) {
			t.Errorf("%d: the review is %q, want %q", b.status, got, want)
		}
		close(release)
		time.Sleep(10 * time.Minute) // until their work is paid off
		// one that was in the queue, and one that was refused
		for _, rules := range []string{"dilemma pool=1-d width=4", "dilemma pool=0-e width=4"} {
			got := h.ask("POST", "/api/tables", "", againstComputer(rules), here)
			if got.status != http.StatusCreated {
				t.Errorf("%s, when the queue is empty: %v", rules, got)
			}
		}
	}, func(p *testConfig) {
		p.Limits.Work, p.TrustProxy = 0.2, true
		p.Solver = &solve.Solver{Config: solve.Config{Progress: func(_, total int64) {
			if total > 2_500_000 { // a large game
				<-release
			}
		}}}
	})
}

// TestConnections checks the limit of connections from one address, which does not apply behind a
// proxy.
func TestConnections(t *testing.T) {
	for _, proxy := range []bool{false, true} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		h := newTestServer(t, func(p *testConfig) {
			p.Limits.ConnectionsOfAddress, p.TrustProxy = 2, proxy
		})
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
		second, answer := ask()
		third, refused := ask()
		want := "" // the connection is closed
		if proxy {
			want = "HTTP/1.1 200 OK"
		}
		if answer != "HTTP/1.1 200 OK" || refused != want {
			t.Errorf("the second connection gets %q, the third %q, want %q", answer, refused, want)
		}
		first.Close()
		second.Close()
		third.Close()
		for again := false; !again && t.Context().Err() == nil; {
			c, answer := ask()
			if again = answer == "HTTP/1.1 200 OK"; !again && answer != "" {
				t.Fatalf("a new connection gets %q", answer)
			}
			c.Close()
		}
	}
}

// TestBehindOwnWork checks that a request waits for other work of the same address, and after a
// while gets an answer to retry later, which is not logged as an error.
func TestBehindOwnWork(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		table := h.open(`{"rules":"dilemma target=11","hints":true}`)
		for _, test := range []struct {
			name, turn string
			ask        func() reply
		}{
			{"a puzzle", "small", func() reply {
				return h.ask("POST", "/puzzle/random", "", "book=dilemma", here,
					"Content-Type: application/x-www-form-urlencoded")
			}},
			{"a hint", "small", func() reply {
				return h.ask("GET", table.path+"/hint", table.tokens[0], "", here)
			}},
		} {
			busy := func(d time.Duration) {
				leave, err := h.Turn(t.Context(), test.turn+" 203.0.113.1", 1, 0)
				if err != nil {
					t.Fatal(err)
				}
				time.AfterFunc(d, leave)
			}
			busy(time.Minute)
			if got := test.ask(); got.status != http.StatusTooManyRequests ||
				got.header.Get("Retry-After") != "2" {
				t.Errorf("%s after a minute of work: %v, Retry-After %q",
					test.name, got, got.header.Get("Retry-After"))
			}
			time.Sleep(time.Minute)
			busy(searchTime + time.Second)
			if got := test.ask(); got.status >= 400 {
				t.Errorf("%s after three seconds of work: %v", test.name, got)
			}
		}
		if strings.Contains(h.log.String(), "level=ERROR") {
			t.Error(h.log.String())
		}
	}, func(p *testConfig) { p.TrustProxy = true })
}

// TestGone cancels requests during each call of the store, which then fails with any error, and
// checks that none is logged as an error of the server.
func TestGone(t *testing.T) {
	inBubble(t, func(t *testing.T, h *testServer) {
		pages := []struct{ request, token, body string }{
			{"GET /", "", ""}, {"GET /games", "", ""}, {"GET /t/{id}", "", ""},
		}
		for _, request := range append(pages, requests...) {
			if strings.HasSuffix(request.request, "/readyz") {
				continue // its check is shared by all clients
			}
			for call, calls := 1, 1; calls >= call-1; call++ {
				order := `{"rules":"dilemma"}`
				if strings.HasSuffix(request.request, "/seats") {
					order = `{"rules":"dilemma","seats":["human","anyone"]}`
				}
				table := h.open(order)
				if strings.HasSuffix(request.request, "/moves") { // by a player who returns
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
				body := strings.NewReader(request.body)
				r := httptest.NewRequestWithContext(ctx, method, path, body)
				r.Header.Set("Content-Type", "application/json")
				if request.token != "" {
					r.Header.Set("Authorization", "Bearer "+fill.Replace(request.token))
				}
				time.AfterFunc(time.Millisecond, leave) // ends a stream
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
