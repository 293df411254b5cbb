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

// attackTime returns the duration of each attack. DUEL_ATTACK=1m makes it longer, and then the
// limits below must be kept. A short run on a busy machine has looser ones, which a server that can
// be knocked over still exceeds.
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

// Limits that must hold while one address attacks.
const (
	mostMemory     = 512_000_000            // peak bytes of the server
	mostWait       = 100 * time.Millisecond // for 99 of 100 requests of another player
	mostStart      = time.Second            // from opening a table to the computer's move
	shortRunFactor = 20                     // times as much in a short run on a busy machine
)

// TestAttacks attacks a server with default limits from one address, while an honest player at
// another address plays against the computer.
func TestAttacks(t *testing.T) {
	length, promised := attackTime(t)
	times := time.Duration(shortRunFactor)
	if promised {
		times = 1
	}
	tried := attacks
	if !nightly && !promised {
		tried = attacks[len(attacks)-1:] // all of them at once
	}
	for _, a := range tried {
		t.Run(a.name, func(t *testing.T) {
			s := newServer(t)
			// Only the default limits apply.
			s.args = []string{"serve", "--mcp", "--db", filepath.Join(t.TempDir(), "duel.db")}
			s.start()
			pid := s.process.Process.Pid
			alone, h := newHonestPlayer(s), newHonestPlayer(s)
			calm, end := context.WithTimeout(t.Context(), length/5)
			defer end()
			alone.play(calm)
			report := h.playDuring(s.addr, a.name, length)
			peak := peakMemory(t, pid)
			t.Logf("peak %3.0f MB; honest: %d requests, p50 %v, p99 %v (alone %v), "+
				"%d games, the slowest started in %v; attack: %s",
				float64(peak)/1e6, len(h.waits), h.percentile(50), h.percentile(99),
				alone.percentile(99), len(h.starts), slices.Max(append(h.starts, 0)), report)
			if peak > mostMemory {
				t.Errorf("the server took %d bytes, want at most %d", peak, mostMemory)
			}
			// A busy machine makes players wait too.
			if got, want := h.percentile(99), max(mostWait*times, 2*alone.percentile(99)); got > want {
				t.Errorf("p99 of an honest player's requests: got %v, want at most %v", got, want)
			}
			if len(h.starts) == 0 || slices.Max(h.starts) > mostStart*times {
				t.Errorf("an honest player's games against the computer started in %v, want %v",
					h.starts, mostStart*times)
			}
			for _, wrong := range h.refused {
				t.Errorf("an honest player gets %s", wrong)
			}
			if strings.Contains(report, "times 500") {
				t.Error("the attack caused answers with status 500")
			}
		})
	}
}

// playDuring plays while an attack lasts, and returns the report of the attack. The attacker is a
// separate process so that it doesn't slow down this one.
func (h *honestPlayer) playDuring(addr, attack string, length time.Duration) string {
	t := h.server.t
	defer h.client.CloseIdleConnections()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	cmd := exec.CommandContext(ctx, "nice", "attacker", addr, attack, length.String())
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

// attackMain is the attacking program: attacker ADDRESS ATTACK LENGTH.
func attackMain() {
	length, err := time.ParseDuration(os.Args[3])
	if err != nil {
		panic(err)
	}
	a := attackNamed(os.Args[2])
	v := &attacker{addr: os.Args[1], client: clientAt("127.0.0.1"), rng: rand.New(rand.NewPCG(1, 2))}
	ctx, end := context.WithTimeout(context.Background(), length)
	defer end()
	concurrently(a.workers, func(worker int) { a.run(ctx, v, worker) })
	fmt.Println(v)
}

// clientAt returns a client that sends from a local address.
func clientAt(address string) *http.Client {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(address)}}
	return &http.Client{Timeout: time.Minute, Transport: &http.Transport{DialContext: d.DialContext, MaxIdleConnsPerHost: 100}}
}

// peakMemory returns the peak memory of a process in bytes.
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
	t.Skip("the system does not report the peak memory of a process")
	return 0
}

// An honestPlayer plays against the computer and measures all times.
type honestPlayer struct {
	server  *server
	client  *http.Client
	waits   []time.Duration
	starts  []time.Duration
	refused []string
}

func newHonestPlayer(s *server) *honestPlayer {
	return &honestPlayer{server: s, client: clientAt("127.0.0.2")}
}

// play plays one game after the other, every second one with rules that are not in a book, until
// ctx is done. On a busy machine it continues until a game has started.
func (h *honestPlayer) play(ctx context.Context) {
	keepPlaying := func() bool { return ctx.Err() == nil || len(h.starts)+len(h.refused) == 0 }
	for n := 0; keepPlaying(); n++ {
		rules, began := "dilemma", time.Now()
		if n%2 > 0 {
			rules = fmt.Sprint("dilemma target=", 8+n)
		}
		var table struct {
			ID    string
			Seats []struct{ Token string }
		}
		body := fmt.Sprintf(`{"rules":%q,"seats":["human","casual"]}`, rules)
		if !h.ask("POST", "/api/tables", "", body, &table) || len(table.Seats) == 0 {
			continue
		}
		path, started := "/api/tables/"+table.ID, false
		for keepPlaying() {
			var state struct {
				Seq          int
				Turn, Result string
				Legal        []string
			}
			if !h.ask("GET", path, "", "", &state) || state.Result != "*" {
				break
			}
			if state.Turn != "first" || len(state.Legal) == 0 {
				continue
			}
			if state.Seq > 3 && !started {
				started = true
				h.starts = append(h.starts, time.Since(began))
			}
			move := fmt.Sprintf(`{"move":%q,"seq":%d}`, state.Legal[0], state.Seq)
			if !h.ask("POST", path+"/moves", table.Seats[0].Token, move, nil) {
				break
			}
		}
		h.ask("GET", "/", "", "", nil)
		h.ask("GET", "/t/"+table.ID+"/games/1", "", "", nil)
	}
}

// ask sends a request and reads the answer, which must not be an error.
func (h *honestPlayer) ask(method, path, token, body string, into any) bool {
	time.Sleep(10 * time.Millisecond) // as a quick player
	began := time.Now()
	status, text, err := askFrom(context.Background(), h.client, h.server.addr, method, path, token, body)
	h.waits = append(h.waits, time.Since(began))
	if err != nil || status >= 300 {
		h.refused = append(h.refused, fmt.Sprintf("%s %s: %d %.200s %v", method, path, status, text, err))
		return false
	}
	return into == nil || json.Unmarshal([]byte(text), into) == nil
}

// percentile returns the longest wait of the fastest percent of the requests.
func (h *honestPlayer) percentile(percent int) time.Duration {
	all := slices.Sorted(slices.Values(h.waits))
	if len(all) == 0 {
		return time.Hour
	}
	return all[(len(all)-1)*percent/100]
}

// askFrom sends a request with a client.
func askFrom(
	ctx context.Context, client *http.Client, addr, method, path, token, body string,
) (status int, answer string, err error) {
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

// An attacker attacks from one address.
type attacker struct {
	addr    string
	client  *http.Client
	answers [600]atomic.Int64 // by status; 0: none
	held    atomic.Int64      // connections that were open at the end

	mu  sync.Mutex
	rng *rand.Rand
}

func (v *attacker) String() string {
	var b strings.Builder
	for status := range v.answers {
		if n := v.answers[status].Load(); n > 0 {
			fmt.Fprintf(&b, "%d times %d, ", n, status)
		}
	}
	return strings.TrimSuffix(b.String(), ", ") + fmt.Sprintf(", %d connections held", v.held.Load())
}

func (v *attacker) pick(n int) int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.rng.IntN(n)
}

// ask sends a request. It sleeps for a moment if that is refused, since the flood of refusals is
// not the attack.
func (v *attacker) ask(ctx context.Context, method, path, token, body string) (status int, answer string) {
	status, answer, err := askFrom(ctx, v.client, v.addr, method, path, token, body)
	if err != nil {
		status = 0
	}
	if ctx.Err() == nil || err == nil {
		v.answers[status].Add(1)
	}
	if status == 0 || status == http.StatusTooManyRequests ||
		status == http.StatusServiceUnavailable {
		time.Sleep(20 * time.Millisecond)
	}
	return status, answer
}

// call calls a tool of the MCP server. The arguments are JSON.
func (v *attacker) call(ctx context.Context, tool, arguments string) (status int, answer string) {
	return v.ask(ctx, "POST", "/mcp", "", fmt.Sprintf(
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`,
		tool, arguments))
}

// An attackTable is a table that an attacker opened.
type attackTable struct {
	path   string
	tokens [2]string
}

// open opens a table. Further settings are JSON.
func (v *attacker) open(ctx context.Context, rules, settings string) (attackTable, bool) {
	status, text := v.ask(ctx, "POST", "/api/tables", "", fmt.Sprintf(`{"rules":%q%s}`, rules, settings))
	var opened struct {
		ID    string
		Seats []struct{ Token string }
	}
	if status != http.StatusCreated || json.Unmarshal([]byte(text), &opened) != nil {
		return attackTable{}, false
	}
	return attackTable{"/api/tables/" + opened.ID, [2]string{opened.Seats[0].Token, opened.Seats[1].Token}}, true
}

// playRandomly plays random moves for the seats that the attacker has tokens for, until the game is
// over or most moves are made. It returns the number of moves.
func (v *attacker) playRandomly(ctx context.Context, g attackTable, rules string, most int) (made int) {
	r, err := digit.ParseRules(rules)
	if err != nil {
		panic(err)
	}
	for range 5 * most {
		var state struct{ Position, Turn, Result string }
		status, text := v.ask(ctx, "GET", g.path, "", "")
		if ctx.Err() != nil || made == most || status == http.StatusOK &&
			(json.Unmarshal([]byte(text), &state) != nil || state.Result != "*") {
			return made
		}
		p, err := r.ParsePosition(state.Position)
		if err != nil {
			continue
		}
		m, _ := r.Pick(p, v.pick)
		token := g.tokens[r.Turn(p)]
		if token == "" {
			time.Sleep(50 * time.Millisecond) // the computer thinks
			continue
		}
		body := fmt.Sprintf(`{"move":%q}`, m)
		if status, _ := v.ask(ctx, "POST", g.path+"/moves", token, body); status == http.StatusOK {
			made++
		}
	}
	return made
}

// post sends a form as a browser does, with the cookies if there are any, and returns where it is
// redirected to and the new cookies.
func (v *attacker) post(ctx context.Context, path, cookies, form string) (to, given string) {
	req, err := http.NewRequestWithContext(ctx, "POST", "http://"+v.addr+path, strings.NewReader(form))
	if err != nil {
		return "", ""
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.Header.Set("Cookie", cookies)
	client := *v.client
	client.CheckRedirect = func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}
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

// stream opens a stream and holds it until ctx is done. If reads is false, it doesn't read the
// stream. The credentials are a token or cookies.
func (v *attacker) stream(ctx context.Context, path, credentials string, reads bool) {
	req, err := http.NewRequestWithContext(ctx, "GET", "http://"+v.addr+path, nil)
	if err != nil {
		return
	}
	if strings.Contains(credentials, "=") {
		req.Header.Set("Cookie", credentials)
	} else if credentials != "" {
		req.Header.Set("Authorization", "Bearer "+credentials)
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

// hold opens a connection, sends a text and holds the connection until ctx is done. If slow, it
// sends a letter now and then.
func (v *attacker) hold(ctx context.Context, text string, slow bool) {
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

// concurrently calls do n times in parallel.
func concurrently(n int, do func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { do(i) })
	}
	all.Wait()
}

// TestSchool checks that thirty pupils at one address can play against the computer at once, each
// with some pages open, without a refusal.
func TestSchool(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.args = []string{"serve", "--db", filepath.Join(t.TempDir(), "duel.db")} // with default limits
	s.start()
	const pupils, pages = 30, 4
	// An attacker has all requests of a pupil too.
	v := &attacker{addr: s.addr, client: clientAt("127.0.0.1"), rng: rand.New(rand.NewPCG(1, 2))}
	defer v.client.CloseIdleConnections()
	ctx, end := context.WithCancel(t.Context())
	var open sync.WaitGroup
	concurrently(pupils, func(pupil int) {
		rules := []string{"dilemma", "sevens", "divisibility target=13", "highest width=4"}[pupil%4]
		g, ok := v.open(ctx, rules, `,"seats":["human","casual"],"hints":true`)
		if !ok {
			return
		}
		for range pages {
			open.Go(func() {
				v.stream(ctx, strings.Replace(g.path, "/api/tables/", "/t/", 1)+"/live", "", true)
			})
		}
		v.ask(ctx, "GET", g.path+"/hint", g.tokens[0], "")
		v.playRandomly(ctx, g, rules, 100)
		for range pages {
			v.ask(ctx, "GET", strings.Replace(g.path, "/api/tables/", "/t/", 1)+"/games/1", "", "")
		}
	})
	waitUntil(t, time.Minute, "all pages are open", func() bool {
		return v.held.Load() == pupils*pages
	})
	end()
	open.Wait()
	for _, status := range []int{
		http.StatusTooManyRequests, http.StatusServiceUnavailable, http.StatusInternalServerError,
	} {
		if n := v.answers[status].Load(); n > 0 {
			t.Errorf("%d requests were answered with status %d: %v", n, status, v)
		}
	}
}
