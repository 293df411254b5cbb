package main

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"digitduel/match"
	"digitduel/store/pgtest"
)

// keptIn is where databases of older programs are.
const keptIn = "../../store/testdata/"

// TestUpgrade lets this program serve what an older one has kept: every link leads to its seat, play goes on at every table, and lists have every
// game.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	for _, v := range []string{"v1", "v2", "v3", "v4"} {
		t.Run("sqlite "+v, func(t *testing.T) {
			t.Parallel()
			if !nightly && v != "v4" {
				t.Skip("this version is part of make nightly")
			}
			db := filepath.Join(t.TempDir(), "duel.db")
			if err := os.WriteFile(db, unpack(t, v+".db.gz"), 0o600); err != nil {
				t.Fatal(err)
			}
			goesOn(t, db, v)
		})
		t.Run("postgres "+v, func(t *testing.T) {
			t.Parallel()
			if !nightly && v != "v1" {
				t.Skip("this version is part of make nightly")
			}
			dsn := pgtest.Start(t)
			runIn(t, "pgx", dsn, string(unpack(t, v+".sql.gz")))
			goesOn(t, dsn, v)
		})
	}
}

// TestNewerForm starts this program with what a newer one has kept.
func TestNewerForm(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "duel.db")
	if err := os.WriteFile(db, unpack(t, "v1.db.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	runIn(t, "sqlite", db, "INSERT INTO schema_version VALUES (1000)")
	for _, args := range [][]string{{"serve", "--addr", "127.0.0.1:0"}, {"admin", "prune", "--idle", "30d"}, {"admin", "backup", db + ".copy"}} {
		code, _, stderr := order(t, []string{"DUEL_DB=" + db}, args...)
		if code != 1 || !strings.Contains(stderr, "its schema has version 1000, which is newer than this program; allowed: up to ") {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
}

func unpack(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(keptIn + name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	if content, err = io.ReadAll(r); err != nil {
		t.Fatal(err)
	}
	return content
}

// runIn runs statements in a database.
func runIn(t *testing.T, driver, where, text string) {
	t.Helper()
	db, err := sql.Open(driver, where)
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), text)
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// goesOn serves a kept database, and plays a game to its end at every table.
func goesOn(t *testing.T, db, v string) {
	content, err := os.ReadFile(keptIn + v + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var tables []struct {
		ID, What string
		Tokens   [2]string
		Seq      int
	}
	if err := json.Unmarshal(content, &tables); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, "--db", db)
	s.start()
	if said, _ := s.log.says("the database is upgraded", 0); !said {
		t.Error("the log does not say that the database was brought forward")
	}
	listed := map[string]bool{}
	for _, table := range tables {
		p := party{t: t, s: s, id: table.ID, what: table.What, tokens: table.Tokens}
		if seq := p.state().Seq; seq < table.Seq {
			t.Errorf("%s: %d events of %d", table.What, seq, table.Seq)
		}
		p.arrive()
		p.play()
		var view struct{ Public bool }
		s.read(&view, "/api/tables/"+table.ID)
		if view.Public && strings.HasSuffix(table.What, "waits for a friend") {
			t.Errorf("%s: its games are public", table.What)
		}
		for n := range p.state().Game {
			listed[fmt.Sprintf("%s %d", table.ID, n+1)] = view.Public
			for _, path := range []string{"", "/record"} {
				path = fmt.Sprintf("/t/%s/games/%d%s", table.ID, n+1, path)
				if status, text, err := s.ask("GET", path, "", ""); status != http.StatusOK || err != nil {
					t.Errorf("%s: %s: %d %s %v", table.What, path, status, text, err)
				}
			}
		}
	}
	findAll(t, s, listed)
}

// findAll holds the pages of lists against the games that there are, of which lists show those that are true. Statistics count them all.
func findAll(t *testing.T, s *server, want map[string]bool) {
	t.Helper()
	for _, path := range []string{"/", "/games", "/games?limit=3", "/lobby", "/api/stats"} {
		if status, text, err := s.ask("GET", path, "", ""); status != http.StatusOK || err != nil {
			t.Errorf("%s: %d %s %v", path, status, text, err)
		}
	}
	found := map[string]bool{}
	for before := ""; ; {
		var page struct {
			Games []struct {
				Table string
				Game  int
			}
			Older string
		}
		s.read(&page, "/api/games?limit=3&before="+url.QueryEscape(before))
		for _, g := range page.Games {
			name := fmt.Sprintf("%s %d", g.Table, g.Game)
			if found[name] || !want[name] {
				t.Errorf("the list has the game %s twice, or it was not played in public", name)
			}
			found[name] = true
		}
		if before = page.Older; before == "" {
			break
		}
	}
	var stats struct {
		Books []struct{ Games int }
	}
	s.read(&stats, "/api/stats")
	sum := 0
	for _, b := range stats.Books {
		sum += b.Games
	}
	public := 0
	for _, is := range want {
		if is {
			public++
		}
	}
	if len(found) != public || sum != len(want) || public == len(want) {
		t.Errorf("%d games are listed and %d counted, want %d and %d", len(found), sum, public, len(want))
	}
}

// read gets something from the API.
func (s *server) read(into any, path string) {
	s.t.Helper()
	status, text, err := s.ask("GET", path, "", "")
	if err != nil || status != http.StatusOK {
		s.t.Fatalf("%s: %d %s %v", path, status, text, err)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
}

// A party is the players of a table, who have the links that the older program gave them.
type party struct {
	t        *testing.T
	s        *server
	id, what string
	tokens   [2]string
	browsers [2]*http.Client // nil: the computer's seat
	sat      [2]bool         // who took the seat only now
}

// A standing is how a table stands, as the API tells it.
type standing struct {
	Seq   int
	Phase match.Phase
	Game  int
	Turn  string
	Legal []string
	Seats []struct{ Side, Player string }
}

func (p *party) state() (is standing) {
	p.t.Helper()
	p.s.read(&is, "/api/tables/"+p.id)
	return is
}

// arrive follows the link of each seat, and takes the seat where it is open.
func (p *party) arrive() {
	p.t.Helper()
	for i, token := range p.tokens {
		jar, err := cookiejar.New(nil)
		if err != nil {
			p.t.Fatal(err)
		}
		browser := &http.Client{Jar: jar, Timeout: time.Minute}
		status, _ := p.get(browser, "/t/"+p.id+"/seat/"+token)
		isComputers := strings.Contains(p.what, "computer") && !slices.Contains([]string{"human", "open"}, p.state().Seats[i].Player)
		if isComputers != (status == http.StatusNotFound) || !isComputers && status != http.StatusOK {
			p.t.Errorf("%s: the link of seat %d leads to %d", p.what, i+1, status)
		}
		if status == http.StatusNotFound {
			continue
		}
		p.browsers[i] = browser
		if p.state().Seats[i].Player == "open" {
			p.post(i, "sit", url.Values{"name": {"Cyd"}})
			p.sat[i] = true
		}
	}
}

func (p *party) get(browser *http.Client, path string) (status int, text string) {
	p.t.Helper()
	resp, err := browser.Get("http://" + p.s.addr + path)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.read(resp)
}

func (p *party) read(resp *http.Response) (status int, text string) {
	p.t.Helper()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// post sends a form of the page of a table.
func (p *party) post(seat int, what string, form url.Values) int {
	p.t.Helper()
	resp, err := p.browsers[seat].PostForm("http://"+p.s.addr+"/t/"+p.id+"/"+what, form)
	if err != nil {
		p.t.Fatal(err)
	}
	status, text := p.read(resp)
	if status != http.StatusOK && status != http.StatusConflict { // where the computer was faster
		p.t.Errorf("%s: %s %v of seat %d: %d %.300s", p.what, what, form, seat+1, status, text)
	}
	return status
}

// play plays the game under way to its end, or else another one.
func (p *party) play() {
	p.t.Helper()
	begun := p.state()
	ended := begun.Game
	if begun.Phase == match.UnderWay {
		ended--
	}
	for range 100 {
		is := p.state()
		switch {
		case is.Phase == match.UnderWay:
			p.turn(is)
		case is.Game > ended:
			return
		case is.Phase == match.Over:
			for i := range p.browsers {
				if p.browsers[i] != nil {
					p.post(i, "acts", url.Values{"act": {"rematch"}})
				}
			}
		default:
			for i := range p.browsers {
				if p.browsers[i] != nil && p.state().Phase != match.UnderWay {
					p.post(i, "acts", url.Values{"act": {"next"}})
				}
			}
		}
	}
	p.t.Errorf("%s: it does not end: %+v", p.what, p.state())
}

// turn makes a move for whoever is to move, on the page or by the API, or waits for the computer's.
func (p *party) turn(is standing) {
	p.t.Helper()
	seat := slices.IndexFunc(is.Seats, func(s struct{ Side, Player string }) bool { return s.Side == is.Turn })
	switch {
	case is.Seats[seat].Player != "human":
		for text, err := range p.s.stream(p.t.Context(), p.id, "") {
			if a, bad := parseTold(text); err != nil || bad != nil {
				p.t.Fatalf("%s: %s: %v, %v", p.what, text, err, bad)
			} else if a.Seq > is.Seq {
				return
			}
		}
	case is.Seq%2 == 0 || p.sat[seat]:
		p.post(seat, "moves", url.Values{"move": {is.Legal[0]}, "seq": {fmt.Sprint(is.Seq)}})
	default:
		body := fmt.Sprintf(`{"move":%q,"seq":%d}`, is.Legal[0], is.Seq)
		status, text, err := p.s.ask("POST", "/api/tables/"+p.id+"/moves", p.tokens[seat], body)
		if err != nil || status != http.StatusOK {
			p.t.Errorf("%s: %s of seat %d: %d %s %v", p.what, body, seat+1, status, text, err)
		}
	}
}
