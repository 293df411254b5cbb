package store

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"digitduel/digit"
	"digitduel/match"
)

// TestMain lets the test binary act as a server that writes until it is killed and prints the
// stored events, a server that writes to a class, a program that plays alongside a server, or one
// that is killed during an upgrade.
func TestMain(m *testing.M) {
	if where := os.Getenv("DUEL_TEST_SERVE"); where != "" {
		if err := serve(where); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
	}
	if where := os.Getenv("DUEL_TEST_CLASS"); where != "" {
		fmt.Println("error:", writeClass(where))
		os.Exit(1)
	}
	if where := os.Getenv("DUEL_TEST_BESIDE"); where != "" {
		if err := playGames(where); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if where := os.Getenv("DUEL_TEST_UPGRADE"); where != "" {
		fmt.Println("error:", upgradeHalf(where))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// serve opens tables forever.
func serve(where string) error {
	ctx := context.Background()
	d, err := Open(ctx, where, Config{Server: true})
	if err != nil {
		return err
	}
	setup := match.Setup{Rules: digit.Dilemma}
	e := match.Event{Seq: 1, At: noon, Kind: match.Opened, Setup: &setup}
	after, err := match.State{}.Apply(e)
	if err != nil {
		return err
	}
	var mu sync.Mutex // for stdout
	for w := range 8 {
		go func() {
			for n := 0; ; n++ {
				id := fmt.Sprintf("w%dn%d", w, n)
				err := d.Append(ctx, id, e, after)
				mu.Lock()
				fmt.Println("kept", id, err)
				mu.Unlock()
			}
		}()
	}
	select {}
}

// TestAKilledServerLosesNothing kills a server that writes, and checks that every confirmed event
// is stored. Another server can serve the same file only after that.
func TestAKilledServerLosesNothing(t *testing.T) {
	eachDB(t, func(t *testing.T, where string) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "DUEL_TEST_SERVE="+where)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		var kept []string
		for lines := bufio.NewScanner(out); lines.Scan(); {
			words := strings.Fields(lines.Text())
			if len(words) != 3 || words[2] != "<nil>" {
				t.Errorf("the server printed: %s", lines.Text())
				break
			}
			kept = append(kept, words[1])
			switch len(kept) {
			case 1:
				checkAlone(t, where)
			case 500:
				if err := cmd.Process.Kill(); err != nil {
					t.Error(err)
				}
			}
		}
		_ = cmd.Wait() // it was killed
		if len(kept) < 500 {
			t.Fatalf("got %d tables, want 500", len(kept))
		}
		d := openAt(t, where, Config{Server: true})
		for _, id := range kept {
			if events, err := d.Events(t.Context(), id, 0); err != nil || len(events) != 1 {
				t.Fatalf("%s has %d events, %v", id, len(events), err)
			}
		}
		if n := checkWhole(t, d, 8); n < len(kept) {
			t.Errorf("got %d tables, want at least %d", n, len(kept))
		}
	})
}

// checkAlone checks that commands can run alongside a server, but no other server on the same file.
func checkAlone(t *testing.T, where string) {
	t.Helper()
	openAt(t, where, Config{})
	other, err := Open(t.Context(), where, Config{Server: true})
	if isFile := !strings.HasPrefix(where, "postgres"); (err != nil) != isFile {
		t.Errorf("another server: %v", err)
	} else if isFile && !strings.Contains(err.Error(), "another server serves it") {
		t.Errorf("another server: %v", err)
	}
	if err == nil {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}
}
