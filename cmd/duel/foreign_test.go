package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"digitduel/arena"
	"digitduel/digit"
)

// foreignTexts are texts that a file, a server or another program may send to control a terminal or
// to forge a line of the program.
var foreignTexts = []string{
	"\x1b]52;c;aGk=\a\x00\b\x7f",
	"\u009b2J\u009d0;x\u009c\u202eadA\u2066\u200f",
	"\x9b2J\xff",
	"Ada\r\nforged\u2028forged\u2029\t\v\u0085forged",
	`\x1b]52;c;aGk=\a\u009b\x7f\u202e\nforged`,
	"עדה 👩\u200d👧 Û",
}

// runForeign runs a command that reads an untrusted text. The output, errors included, must have no
// control characters except line ends, no characters that reverse text, and no forged line.
func runForeign(t *testing.T, text string, typed *foreignInput, args ...string) string {
	t.Helper()
	out := &outputBuffer{changed: make(chan struct{})}
	if typed.until != "" {
		typed.wait = func() error { return waitForOutput(t, out, typed.until) }
	}
	if err := run(t.Context(), args, typed, out, out); err != nil {
		printError(out, err)
	}
	printed := out.String()
	rightToLeft := func(c rune) bool {
		return unicode.In(c, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko)
	}
	if strings.ContainsFunc(text, rightToLeft) { // the program isolates such names
		printed = strings.NewReplacer("\u2068", "", "\u2069", "").Replace(printed)
	}
	bad := func(c rune) bool {
		return unicode.IsControl(c) && c != '\n' ||
			unicode.In(c, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
	}
	forged := slices.Contains(foreignTexts, text) && strings.Contains("\n"+printed, "\nforged")
	if strings.ContainsFunc(printed, bad) || !utf8.ValidString(printed) || forged {
		t.Errorf("duel %q with text %q prints %q", args, text, printed)
	}
	return printed
}

// A foreignInput is typed input: a text, and its end when the program has printed until.
type foreignInput struct {
	text, until string
	wait        func() error
}

func (in *foreignInput) Read(b []byte) (int, error) {
	n := copy(b, in.text)
	if in.text = in.text[n:]; n > 0 {
		return n, nil
	}
	if in.wait != nil {
		return 0, in.wait()
	}
	return 0, io.EOF
}

// waitForOutput waits for a text in the output and returns io.EOF.
func waitForOutput(t *testing.T, out *outputBuffer, text string) error {
	deadline := time.After(20 * time.Second)
	for {
		found, more := out.contains(text, 0)
		if found {
			return io.EOF
		}
		select {
		case <-more:
		case <-t.Context().Done(): // the program has ended
			return io.EOF
		case <-deadline:
			return errors.New(text + " was not printed")
		}
	}
}

// tinyRules is a game that is solved at once.
const tinyRules = "highest pool=1-3 width=1"

// FuzzForeignRecord shows records with any text in their tags, escaped and raw, and as a line.
func FuzzForeignRecord(f *testing.F) {
	for _, text := range foreignTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 400 {
			return // a record would be too long
		}
		var file strings.Builder
		for _, value := range []string{fmt.Sprintf("%q", text), `"` + text + `"`} {
			for _, key := range []string{"first", "second-level", "at", "swap", "first-level=human first"} {
				fmt.Fprintf(&file, "%s 3a 1a 1-0 higher; %s=%s\n", tinyRules, key, value)
			}
		}
		file.WriteString(text + "\n")
		for _, command := range []string{"replay -", "review - --line --all", "review - --json"} {
			args := strings.Fields(command)
			printed := runForeign(t, text, &foreignInput{text: file.String()}, args...)
			if !strings.Contains(printed, tinyRules) {
				t.Errorf("duel %s shows no game: %s", command, printed)
			}
		}
	})
}

// FuzzForeignServer joins a server that answers with any text.
func FuzzForeignServer(f *testing.F) {
	for _, text := range foreignTexts {
		f.Add(text)
	}
	f.Setenv("XDG_DATA_HOME", f.TempDir())
	f.Fuzz(func(t *testing.T, text string) {
		server := httptest.NewServer(foreignServer(text))
		defer server.Close()
		printed := runForeign(t, text, &foreignInput{}, "join", server.URL)
		if !strings.Contains(printed, "To open a table: duel join ") {
			t.Errorf("no table is listed: %s", printed)
		}
		typed := &foreignInput{text: "link\n9 hundreds\n", until: "refused"}
		runForeign(t, text, typed, "join", server.URL, "highest", "--name", "Ada")
		for table := range strings.FieldsSeq("names turn timeout time kind junk error status location") {
			runForeign(t, text, &foreignInput{}, "join", server.URL+"/t/"+table, "--watch")
		}
	})
}

// foreignServer is a server of tables that returns a text in every field.
func foreignServer(text string) http.Handler {
	answer := func(w http.ResponseWriter, status int, body any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(body) // the client may have gone
	}
	raw := func(w http.ResponseWriter, head string) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil { // the client may have gone
			_, _ = io.WriteString(conn, "HTTP/1.1 "+head+"\r\nConnection: close\r\n\r\n")
			_ = conn.Close()
		}
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/tables", func(w http.ResponseWriter, _ *http.Request) {
		listed := func(phase string) map[string]any {
			return map[string]any{
				"id": "x", "rules": "highest", "phase": phase,
				"names": []string{text, text}, "turn_time": text,
			}
		}
		tables := []any{listed("open"), listed("playing"), listed(text)}
		answer(w, http.StatusOK, map[string]any{"tables": tables})
	})
	mux.HandleFunc("POST /api/tables", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string]any{"id": "x", "seats": []any{
			map[string]any{"seat": 1, "player": "human", "token": "secret"},
			map[string]any{"seat": 2, "player": "friend", "invitation": "i" + text},
		}})
	})
	mux.HandleFunc("POST /api/tables/x/moves", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusBadRequest, map[string]any{"error": "Ûrefused " + text})
	})
	mux.HandleFunc("GET /api/tables/{table}/events", func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush() // the client may have gone
		<-r.Context().Done()
	})
	mux.HandleFunc("GET /api/tables/{table}/log", func(w http.ResponseWriter, r *http.Request) {
		now := time.Now().Format(time.RFC3339)
		order := map[string]any{
			"rules": "highest", "names": []string{"Ada", "Ben"}, "seats": []string{"human", "x" + text},
		}
		opened := map[string]any{"seq": 1, "at": now, "kind": "opened", "order": order}
		began := map[string]any{"seq": 2, "at": now, "kind": "began"}
		log := map[string]any{"now": now, "seq": 2, "stood": "0s", "events": []any{opened, began}}
		switch r.PathValue("table") {
		case "names":
			order["names"] = []string{"Ada", text}
		case "turn":
			order["turn_time"] = text
		case "timeout":
			order["on_timeout"] = text
		case "time":
			log["now"] = text
		case "kind":
			opened["kind"] = text
		case "junk":
			_, _ = io.WriteString(w, text) // the client may have gone
			return
		case "error":
			answer(w, http.StatusBadRequest, map[string]any{"error": text})
			return
		case "status":
			raw(w, "418 "+text)
			return
		case "location":
			raw(w, "307 Elsewhere\r\nLocation: /"+text)
			return
		}
		answer(w, http.StatusOK, log)
	})
	return mux
}

// FuzzForeignProgram reads files of a match and of an exam that contain any text, and runs an
// engine that prints it.
func FuzzForeignProgram(f *testing.F) {
	for _, text := range foreignTexts {
		f.Add(text)
	}
	game, err := digit.ParseRecord(tinyRules + " 3a 1a 1-0 higher")
	if err != nil {
		f.Fatal(err)
	}
	r, moves := game.Rules, []arena.Move{}
	for _, m := range game.Moves {
		moves = append(moves, arena.Move{Move: m, Tries: 1})
	}
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		path := func(name string) string { return filepath.Join(dir, name) }
		write := func(name, text string) {
			t.Helper()
			if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		shows := func(args ...string) { t.Helper(); runForeign(t, text, &foreignInput{}, args...) }

		for _, player := range []string{"perfect", "engine:x" + text, "agent:x" + text} {
			plan := arena.Plan{
				Version: 1, Players: []string{player, "novice"}, Format: arena.Gauntlet,
				Rules: []digit.Rules{r}, Starts: text, Pairs: 1,
				Positions: [][]string{{r.Text(digit.Position{})}},
			}
			if !strings.HasPrefix(player, "agent:") {
				plan.MoveTime = 1
			}
			sum := sha256.Sum256(jsonOf(plan))
			plan.ID = hex.EncodeToString(sum[:6])
			write(arena.PlanFile, string(plan.Text()))
			write(arena.GamesFile, "")
			shows("match", "report", dir)
			shows("match", "report", dir, "--json")
			for _, game := range []any{
				map[string]any{"game": 1, "x" + text: text},
				arena.Game{
					Game: 1, Plan: text, Rules: r, Start: text, First: arena.Seat{Player: text},
					Moves: moves, Position: text,
				},
			} {
				write(arena.GamesFile, string(jsonOf(game))+"\n")
				shows("match", "report", dir)
				shows("match", "check", dir)
				shows("match", "check", dir, "--json")
			}
		}

		key := map[string]any{
			"item": 1, "rules": tinyRules, "position": "_/_", "keeps": []string{"3a"},
			"chance": 0.5, "difficulty": "x" + text,
		}
		answer := map[string]any{"item": 1, "move": text, "fault": text, "run": text}
		write("answers", string(jsonOf(answer)))
		for _, wrong := range []string{"", "rules", "position", "item"} {
			bad := maps.Clone(key)
			if wrong != "" {
				bad[wrong] = text
			}
			write("key", string(jsonOf(bad)))
			shows("exam", "grade", path("answers"), "--key", path("key"))
			shows("exam", "grade", path("answers"), "--key", path("key"), "--json")
		}

		write("text", text)
		engine := func(does string) string {
			return fmt.Sprintf("foreign %s %q", does, path("text"))
		}
		shows("engine", "check", engine("crashes"))
		shows("match", "--player", "perfect", "--player", "engine:"+engine("crashes"),
			"--rules", tinyRules, "--out", path("match"))
		item := map[string]any{"item": 1, "rules": "one\ntwo", "position": "three"}
		write("items", string(jsonOf(item)))
		shows("exam", "run", path("items"), "--player", "engine:"+engine("answers"))
	})
}

func jsonOf(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return text
}

// foreignMain is an engine that prints the text of a file: as its name, as rules that it plays, and
// where it has to move, when it crashes or answers.
func foreignMain() {
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		panic(err)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		verb, _, _ := strings.Cut(in.Text(), " ")
		switch verb {
		case "ugi":
			fmt.Printf("id name %s\n%[1]s\n", text)
			if os.Args[1] == "answers" {
				fmt.Println("option name Words type string")
			}
			fmt.Printf("option name Rules type combo var dilemma var x%s\nugiok\n", text)
		case "isready":
			fmt.Println("readyok")
		case "go":
			if os.Args[1] == "crashes" {
				_, _ = os.Stderr.Write(text) // the reason of the crash
				os.Exit(3)
			}
			fmt.Printf("info string %s\nbestmove x%[1]s\n", text)
		case "quit":
			return
		}
	}
}
