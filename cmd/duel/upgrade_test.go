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

// oldDatabases is the folder with databases of older versions.
const oldDatabases = "../../store/testdata/"

// TestUpgrade serves databases of older versions: every link leads to its seat, every table can be
// played, and lists show all games.
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
			checkUpgrade(t, db, v)
		})
		t.Run("postgres "+v, func(t *testing.T) {
			t.Parallel()
			if !nightly && v != "v1" {
				t.Skip("this version is part of make nightly")
			}
			dsn := pgtest.Start(t)
			execSQL(t, "pgx", dsn, string(unpack(t, v+".sql.gz")))
			checkUpgrade(t, dsn, v)
		})
	}
}

// TestNewerForm checks that a database of a newer version is refused.
func TestNewerForm(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "duel.db")
	if err := os.WriteFile(db, unpack(t, "v1.db.gz"), 0o600); err != nil {
		t.Fatal(err)
	}
	execSQL(t, "sqlite", db, "INSERT INTO schema_version VALUES (1000)")
	const want = "its schema has version 1000, which is newer than this program; allowed: up to "
	for _, args := range [][]string{
		{"serve", "--addr", "127.0.0.1:0"}, {"admin", "prune", "--idle", "30d"},
		{"admin", "backup", db + ".copy"},
	} {
		code, _, stderr := runDuel(t, []string{"DUEL_DB=" + db}, args...)
		if code != 1 || !strings.Contains(stderr, want) {
			t.Errorf("%v: %d %s", args, code, stderr)
		}
	}
}

func unpack(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(oldDatabases + name)
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

// execSQL runs statements in a database.
func execSQL(t *testing.T, driver, where, text string) {
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

// checkUpgrade serves an older database and plays a game to its end at every table.
func checkUpgrade(t *testing.T, db, v string) {
	content, err := os.ReadFile(oldDatabases + v + ".json")
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
	if logged, _ := s.log.contains("the database is upgraded", 0); !logged {
		t.Error("the log does not report the upgrade of the database")
	}
	listed := map[string]bool{}
	for _, table := range tables {
		p := tablePlayers{t: t, s: s, id: table.ID, what: table.What, tokens: table.Tokens}
		if seq := p.state().Seq; seq < table.Seq {
			t.Errorf("%s: %d events, want at least %d", table.What, seq, table.Seq)
		}
		p.openSeatLinks()
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
	checkGames(t, s, listed)
}

// checkGames checks that lists show the public games, which are true in want, and that statistics
// count all games.
func checkGames(t *testing.T, s *server, want map[string]bool) {
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
				t.Errorf("the list has game %s, which is listed twice or not public", name)
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
		t.Errorf("%d games are listed and %d counted, want %d and %d",
			len(found), sum, public, len(want))
	}
}

// read decodes an answer of the API.
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

// tablePlayers are the players of a table, who have the links of the older version.
type tablePlayers struct {
	t        *testing.T
	s        *server
	id, what string
	tokens   [2]string
	browsers [2]*http.Client // nil: the computer's seat
	joined   [2]bool         // the player took the seat in this test
}

// A tableStatus is the state of a table in the API.
type tableStatus struct {
	Seq   int
	Phase match.Phase
	Game  int
	Turn  string
	Legal []string
	Seats []struct{ Side, Player string }
}

func (p *tablePlayers) state() (is tableStatus) {
	p.t.Helper()
	p.s.read(&is, "/api/tables/"+p.id)
	return is
}

// openSeatLinks opens the link of each seat, and takes the seat if it is open.
func (p *tablePlayers) openSeatLinks() {
	p.t.Helper()
	for i, token := range p.tokens {
		jar, err := cookiejar.New(nil)
		if err != nil {
			p.t.Fatal(err)
		}
		browser := &http.Client{Jar: jar, Timeout: time.Minute}
		status, _ := p.get(browser, "/t/"+p.id+"/seat/"+token)
		isComputers := strings.Contains(p.what, "computer") &&
			!slices.Contains([]string{"human", "open"}, p.state().Seats[i].Player)
		if isComputers != (status == http.StatusNotFound) ||
			!isComputers && status != http.StatusOK {
			p.t.Errorf("%s: the link of seat %d has status %d", p.what, i+1, status)
		}
		if status == http.StatusNotFound {
			continue
		}
		p.browsers[i] = browser
		if p.state().Seats[i].Player == "open" {
			p.post(i, "sit", url.Values{"name": {"Cyd"}})
			p.joined[i] = true
		}
	}
}

func (p *tablePlayers) get(browser *http.Client, path string) (status int, text string) {
	p.t.Helper()
	resp, err := browser.Get("http://" + p.s.addr + path)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.read(resp)
}

func (p *tablePlayers) read(resp *http.Response) (status int, text string) {
	p.t.Helper()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// post sends a form of the table's page.
func (p *tablePlayers) post(seat int, what string, form url.Values) int {
	p.t.Helper()
	resp, err := p.browsers[seat].PostForm("http://"+p.s.addr+"/t/"+p.id+"/"+what, form)
	if err != nil {
		p.t.Fatal(err)
	}
	status, text := p.read(resp)
	// The computer may have been faster.
	if status != http.StatusOK && status != http.StatusConflict {
		p.t.Errorf("%s: %s %v of seat %d: %d %.300s", p.what, what, form, seat+1, status, text)
	}
	return status
}

// play plays the current game to its end, or else another one.
func (p *tablePlayers) play() {
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
	p.t.Errorf("%s: the game does not end: %+v", p.what, p.state())
}

// turn plays a move for the player to move, on the page or through the API, or waits for the
// computer.
func (p *tablePlayers) turn(is tableStatus) {
	p.t.Helper()
	seat := slices.IndexFunc(is.Seats, func(s struct{ Side, Player string }) bool {
		return s.Side == is.Turn
	})
	switch {
	case is.Seats[seat].Player != "human":
		for text, err := range p.s.stream(p.t.Context(), p.id, "") {
			if a, bad := parseEvent(text); err != nil || bad != nil {
				p.t.Fatalf("%s: %s: %v, %v", p.what, text, err, bad)
			} else if a.Seq > is.Seq {
				return
			}
		}
	case is.Seq%2 == 0 || p.joined[seat]:
		p.post(seat, "moves", url.Values{"move": {is.Legal[0]}, "seq": {fmt.Sprint(is.Seq)}})
	default:
		body := fmt.Sprintf(`{"move":%q,"seq":%d}`, is.Legal[0], is.Seq)
		status, text, err := p.s.ask("POST", "/api/tables/"+p.id+"/moves", p.tokens[seat], body)
		if err != nil || status != http.StatusOK {
			p.t.Errorf("%s: %s of seat %d: %d %s %v", p.what, body, seat+1, status, text, err)
		}
	}
}
