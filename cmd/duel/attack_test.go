package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"digitduel/digit"
)

// attackTime is how long each attack lasts. DUEL_ATTACK=1m makes it longer, and then an honest player has to be served as well as we
// promise; in a moment on a busy machine there is only a bound that a server which can be knocked over does not keep.
func attackTime(t *testing.T) (length time.Duration, promised bool) {
	t.Helper()
	text := os.Getenv("DUEL_ATTACK")
	if text == "" {
		return 1500 * time.Millisecond, false
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("DUEL_ATTACK %q: allowed: a time such as 1m", text)
	}
	return length, true
}

// What we promise while one address does its worst.
const (
	mostMemory = 512_000_000            // bytes of the server, at its height
	mostWait   = 100 * time.Millisecond // of 99 in 100 requests of somebody else
	mostStart  = time.Second            // from asking for a game against the computer to its first move
	badMoment  = 20                     // times as much, for a moment on a busy machine
)

// TestAttacks lets one address do what it can to a server with the limits that it has by itself, while an honest player at another
// address plays against the computer.
func TestAttacks(t *testing.T) {
	length, promised := attackTime(t)
	times := time.Duration(badMoment)
	if promised {
		times = 1
	}
	tried := attacks
	if !nightly && !promised {
		tried = attacks[len(attacks)-1:] // everything at once
	}
	for _, a := range tried {
		t.Run(a.name, func(t *testing.T) {
			s := newServer(t)
			s.args = []string{"serve", "--mcp", "--db", filepath.Join(t.TempDir(), "duel.db")} // and no other limits than by default
			s.start()
			pid := s.process.Process.Pid
			alone, h := newHonest(s), newHonest(s)
			calm, end := context.WithTimeout(t.Context(), length/5)
			defer end()
			alone.play(calm)
			told := h.during(s.addr, a.name, length)
			height := peakMemory(t, pid)
			t.Logf("%3.0f MB at its height; honest: %d requests, p50 %v, p99 %v (alone %v), %d games, the slowest started in %v; attack: %s",
				float64(height)/1e6, len(h.waits), h.wait(50), h.wait(99), alone.wait(99), len(h.starts),
				slices.Max(append(h.starts, 0)), told)
			if height > mostMemory {
				t.Errorf("the server took %d bytes, want at most %d", height, mostMemory)
			}
			// A machine that is busy with other things makes people wait too.
			if got, want := h.wait(99), max(mostWait*times, 2*alone.wait(99)); got > want {
				t.Errorf("99 of 100 requests of an honest player took up to %v, want %v", got, want)
			}
			if len(h.starts) == 0 || slices.Max(h.starts) > mostStart*times {
				t.Errorf("an honest player's games against the computer started in %v, want %v", h.starts, mostStart*times)
			}
			for _, wrong := range h.refused {
				t.Errorf("an honest player is told %s", wrong)
			}
			if strings.Contains(told, "times 500") {
				t.Error("the attack broke something")
			}
		})
	}
}

// during plays while an attack on a server lasts, which is a process of its own so that it is not in the way here, and returns what that told.
func (h *honest) during(addr, attack string, length time.Duration) string {
	t := h.server.t
	defer h.client.CloseIdleConnections()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	cmd := exec.CommandContext(ctx, "nice", "villain", addr, attack, length.String())
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var failed error
	go func() {
		defer end()
		failed = cmd.Wait()
	}()
	h.play(ctx)
	if failed != nil {
		t.Errorf("the attack itself failed: %v: %s", failed, out.String())
	}
	return strings.TrimSpace(out.String())
}

// attackMain is the program that attacks: villain ADDRESS ATTACK LENGTH.
func attackMain() {
	length, err := time.ParseDuration(os.Args[3])
	if err != nil {
		panic(err)
	}
	a := attackNamed(os.Args[2])
	v := &villain{addr: os.Args[1], client: clientAt("127.0.0.1"), rng: rand.New(rand.NewPCG(1, 2))}
	ctx, end := context.WithTimeout(context.Background(), length)
	defer end()
	crowd(a.hands, func(hand int) { a.run(ctx, v, hand) })
	fmt.Println(v)
}

// clientAt returns a client that asks from an address of this machine.
func clientAt(address string) *http.Client {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: d.DialContext, MaxIdleConnsPerHost: 100}}
}

// peakMemory returns how many bytes a process has taken at its height.
func peakMemory(t *testing.T, pid int) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Skip(err)
	}
	for line := range strings.Lines(string(status)) {
		if words := strings.Fields(line); len(words) == 3 && words[0] == "VmHWM:" {
			kib, _ := strconv.ParseInt(words[1], 10, 64)
			return kib << 10
		}
	}
	t.Skip("the system does not tell how much memory a process took")
	return 0
}

// An honest player plays against the computer, and notes how long everything takes.
type honest struct {
	server  *server
	client  *http.Client
	waits   []time.Duration
	starts  []time.Duration
	refused []string
}

func newHonest(s *server) *honest { return &honest{server: s, client: clientAt("127.0.0.2")} }

// play plays one game after the other, every other one by rules that are in no book, until ctx is done; on a busy machine until one of
// them has started after that.
func (h *honest) play(ctx context.Context) {
	goesOn := func() bool { return ctx.Err() == nil || len(h.starts)+len(h.refused) == 0 }
	for n := 0; goesOn(); n++ {
		rules, began := "dilemma", time.Now()
		if n%2 > 0 {
			rules = fmt.Sprint("dilemma target=", 8+n)
		}
		var table struct {
			ID    string
			Seats []struct{ Token string }
		}
		if !h.ask("POST", "/api/tables", "", fmt.Sprintf(`{"rules":%q,"seats":["human","casual"]}`, rules), &table) || len(table.Seats) == 0 {
			continue
		}
		path, started := "/api/tables/"+table.ID, false
		for goesOn() {
			var stands struct {
				Seq          int
				Turn, Result string
				Legal        []string
			}
			if !h.ask("GET", path, "", "", &stands) || stands.Result != "*" {
				break
			}
			if stands.Turn != "first" || len(stands.Legal) == 0 {
				continue
			}
			if stands.Seq > 3 && !started {
				started = true
				h.starts = append(h.starts, time.Since(began))
			}
			if !h.ask("POST", path+"/moves", table.Seats[0].Token, fmt.Sprintf(`{"move":%q,"seq":%d}`, stands.Legal[0], stands.Seq), nil) {
				break
			}
		}
		h.ask("GET", "/", "", "", nil)
		h.ask("GET", "/t/"+table.ID+"/games/1", "", "", nil)
	}
}

// ask sends a request and reads the answer, which has to be a good one.
func (h *honest) ask(method, path, token, body string, into any) bool {
	time.Sleep(10 * time.Millisecond) // as somebody who is quick
	began := time.Now()
	status, text, err := askFrom(context.Background(), h.client, h.server.addr, method, path, token, body)
	h.waits = append(h.waits, time.Since(began))
	if err != nil || status >= 300 {
		h.refused = append(h.refused, fmt.Sprintf("%s %s: %d %.200s %v", method, path, status, text, err))
		return false
	}
	return into == nil || json.Unmarshal([]byte(text), into) == nil
}

// wait returns how long the quickest so many in a hundred requests took at the most.
func (h *honest) wait(percent int) time.Duration {
	all := slices.Sorted(slices.Values(h.waits))
	if len(all) == 0 {
		return time.Hour
	}
	return all[(len(all)-1)*percent/100]
}

// askFrom sends a request from wherever a client is.
func askFrom(ctx context.Context, client *http.Client, addr, method, path, token, body string) (status int, answer string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+addr+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if path == "/mcp" {
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	var text bytes.Buffer
	_, err = text.ReadFrom(resp.Body)
	return resp.StatusCode, text.String(), err
}

// A villain attacks from one address.
type villain struct {
	addr    string
	client  *http.Client
	answers [600]atomic.Int64 // by status; 0: none
	held    atomic.Int64      // connections that were open at the end

	mu  sync.Mutex
	rng *rand.Rand
}

func (v *villain) String() string {
	var b strings.Builder
	for status := range v.answers {
		if n := v.answers[status].Load(); n > 0 {
			fmt.Fprintf(&b, "%d times %d, ", n, status)
		}
	}
	return strings.TrimSuffix(b.String(), ", ") + fmt.Sprintf(", %d connections held", v.held.Load())
}

func (v *villain) pick(n int) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.rng.IntN(n)
}

// ask sends a request, and rests for a moment if it is refused, for to be refused is no attack.
func (v *villain) ask(ctx context.Context, method, path, token, body string) (status int, answer string) {
	status, answer, err := askFrom(ctx, v.client, v.addr, method, path, token, body)
	if err != nil {
		status = 0
	}
	if ctx.Err() == nil || err == nil {
		v.answers[status].Add(1)
	}
	if status == 0 || status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		time.Sleep(20 * time.Millisecond)
	}
	return status, answer
}

// call calls a tool as an agent does, with arguments that are JSON.
func (v *villain) call(ctx context.Context, tool, arguments string) (status int, answer string) {
	return v.ask(ctx, "POST", "/mcp", "", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments))
}

// A grabbed table is one that a villain opened.
type grabbed struct {
	path   string
	tokens [2]string
}

// open opens a table. Further settings are JSON.
func (v *villain) open(ctx context.Context, rules, settings string) (grabbed, bool) {
	status, text := v.ask(ctx, "POST", "/api/tables", "", fmt.Sprintf(`{"rules":%q%s}`, rules, settings))
	var opened struct {
		ID    string
		Seats []struct{ Token string }
	}
	if status != http.StatusCreated || json.Unmarshal([]byte(text), &opened) != nil {
		return grabbed{}, false
	}
	return grabbed{"/api/tables/" + opened.ID, [2]string{opened.Seats[0].Token, opened.Seats[1].Token}}, true
}

// playOn plays a game by chance for whoever has a token, until it is over or so many moves are made. It returns how many were.
func (v *villain) playOn(ctx context.Context, g grabbed, rules string, most int) (made int) {
	r, err := digit.ParseRules(rules)
	if err != nil {
		panic(err)
	}
	for range 5 * most {
		var stands struct{ Position, Turn, Result string }
		status, text := v.ask(ctx, "GET", g.path, "", "")
		if ctx.Err() != nil || made == most || status == http.StatusOK && (json.Unmarshal([]byte(text), &stands) != nil || stands.Result != "*") {
			return made
		}
		p, err := r.ParsePosition(stands.Position)
		if err != nil {
			continue
		}
		m, _ := r.Pick(p, v.pick)
		token := g.tokens[r.Turn(p)]
		if token == "" {
			time.Sleep(50 * time.Millisecond) // the computer thinks
			continue
		}
		if status, _ := v.ask(ctx, "POST", g.path+"/moves", token, fmt.Sprintf(`{"move":%q}`, m)); status == http.StatusOK {
			made++
		}
	}
	return made
}

// post sends a form as a browser does, with cookies if there are any, and returns where it is sent on and with which cookies.
func (v *villain) post(ctx context.Context, path, cookies, form string) (to, given string) {
	req, err := http.NewRequestWithContext(ctx, "POST", "http://"+v.addr+path, strings.NewReader(form))
	if err != nil {
		return "", ""
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Cookie", cookies)
	client := *v.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	if err != nil {
		v.answers[0].Add(1)
		return "", ""
	}
	defer resp.Body.Close()
	v.answers[resp.StatusCode].Add(1)
	var all []string
	for _, c := range resp.Cookies() {
		all = append(all, c.Name+"="+c.Value)
	}
	return resp.Header.Get("Location"), strings.Join(all, "; ")
}

// stream opens a stream and holds it until ctx is done. Whoever does not read lets the server write into the void. The pass is a token
// or cookies.
func (v *villain) stream(ctx context.Context, path, pass string, reads bool) {
	req, err := http.NewRequestWithContext(ctx, "GET", "http://"+v.addr+path, nil)
	if err != nil {
		return
	}
	if strings.Contains(pass, "=") {
		req.Header.Set("Cookie", pass)
	} else if pass != "" {
		req.Header.Set("Authorization", "Bearer "+pass)
	}
	client := *v.client
	client.Timeout = 0
	resp, err := client.Do(req)
	if err != nil {
		v.answers[0].Add(1)
		return
	}
	defer resp.Body.Close()
	v.answers[resp.StatusCode].Add(1)
	if resp.StatusCode != http.StatusOK {
		return
	}
	v.held.Add(1)
	if reads {
		_, _ = io.Copy(io.Discard, resp.Body) // until it ends
	}
	<-ctx.Done()
}

// hold opens a connection, sends a text, and holds it until ctx is done, sending a letter now and then if it is slow.
func (v *villain) hold(ctx context.Context, text string, slow bool) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP("127.0.0.1")}, Timeout: 5 * time.Second}
	conn, err := d.DialContext(ctx, "tcp", v.addr)
	if err != nil {
		v.answers[0].Add(1)
		return
	}
	defer conn.Close()
	v.held.Add(1)
	defer v.held.Add(-1)
	defer context.AfterFunc(ctx, func() { conn.Close() })()
	io.WriteString(conn, text)
	if slow {
		go func() {
			for range time.Tick(500 * time.Millisecond) {
				if _, err := io.WriteString(conn, "a"); err != nil {
					return
				}
			}
		}()
	}
	_, _ = io.Copy(io.Discard, conn) // until the server ends it
}

// crowd does something many times at once.
func crowd(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// TestSchool has thirty pupils at one address play against the computer at once, each with some pages open: none of them is refused.
func TestSchool(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.args = []string{"serve", "--db", filepath.Join(t.TempDir(), "duel.db")} // and no other limits than by default
	s.start()
	const pupils, pages = 30, 4
	v := &villain{addr: s.addr, client: clientAt("127.0.0.1"), rng: rand.New(rand.NewPCG(1, 2))} // who does no harm
	defer v.client.CloseIdleConnections()
	ctx, end := context.WithCancel(t.Context())
	var open sync.WaitGroup
	crowd(pupils, func(pupil int) {
		rules := []string{"dilemma", "sevens", "divisibility target=13", "highest width=4"}[pupil%4]
		g, ok := v.open(ctx, rules, `,"seats":["human","casual"],"hints":true`)
		if !ok {
			return
		}
		for range pages {
			open.Go(func() { v.stream(ctx, strings.Replace(g.path, "/api/tables/", "/t/", 1)+"/live", "", true) })
		}
		v.ask(ctx, "GET", g.path+"/hint", g.tokens[0], "")
		v.playOn(ctx, g, rules, 100)
		for range pages {
			v.ask(ctx, "GET", strings.Replace(g.path, "/api/tables/", "/t/", 1)+"/games/1", "", "")
		}
	})
	within(t, time.Minute, "all pages are open", func() bool { return v.held.Load() == pupils*pages })
	end()
	open.Wait()
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInternalServerError} {
		if n := v.answers[status].Load(); n > 0 {
			t.Errorf("%d requests of a school are answered %d: %v", n, status, v)
		}
	}
}
