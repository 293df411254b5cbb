package local_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/match/local"
)

// TestStore plays at a table whose file cannot be opened at first: nothing is saved before the
// first move, the next event saves all that were missing, and the table can be resumed.
func TestStore(t *testing.T) {
	ctx, folder := t.Context(), local.Folder(t.TempDir())
	full := errors.New("no space")
	failing, opened := true, 0
	store := local.NewStore("here", func(id string) (local.Log, error) {
		if opened++; failing {
			return local.Log{}, full
		}
		return folder.Open(id)
	})
	setup := match.Setup{Rules: digit.Highest}
	table, err := match.Open(ctx, store.ID(), setup, store, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := table.Begin(ctx); err != nil || opened > 0 {
		t.Fatalf("before the first move: opened %d times, %v", opened, err)
	}
	for _, text := range []string{"9a", "8b", "7c"} {
		m, err := digit.ParseMove(text)
		if err == nil {
			_, err = table.Play(ctx, table.State().Turn(), m, 0)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Err(); errors.Is(err, full) != failing || store.Err() != nil {
			t.Errorf("after %s: %v", text, err)
		}
		failing = false
	}
	want := table.State()
	table.Close()
	if !store.Close(want.TurnBegan) {
		t.Error("nothing is saved")
	}
	again := local.NewStore("here", folder.Open)
	if err := again.Load(ctx, time.Now()); err != nil {
		t.Fatal(err)
	}
	defer again.Close(time.Now())
	table, err = match.Resume(ctx, "here", again, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	if got := table.State(); got.Position != want.Position || got.Seq != want.Seq {
		t.Errorf("resumed at %v, event %d, want %v, event %d",
			got.Position, got.Seq, want.Position, want.Seq)
	}
	if busy := local.NewStore("here", folder.Open).Load(ctx, time.Now()); busy == nil {
		t.Error("a table that is in use was loaded again")
	}
}

// TestStorePause checks that Down returns the time of pauses since a moment, including the current
// pause.
func TestStorePause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := local.NewStore("here", nil)
		pause := func(on, ended bool, d time.Duration) {
			t.Helper()
			if got := store.Pause(on); got != ended {
				t.Errorf("Pause(%v) = %v, want %v", on, got, ended)
			}
			time.Sleep(d)
		}
		down := func(since time.Time, want time.Duration) {
			t.Helper()
			if got, err := store.Down(context.Background(), since); err != nil || got != want {
				t.Errorf("down for %v, %v, want %v", got, err, want)
			}
		}
		began := time.Now()
		pause(false, false, time.Second)
		pause(true, false, 10*time.Second)
		pause(true, false, 10*time.Second)
		if d, ok := store.Paused(); !ok || d != 20*time.Second {
			t.Errorf("paused for %v, %v", d, ok)
		}
		down(began, 20*time.Second)
		pause(false, true, time.Second)
		if _, ok := store.Paused(); ok {
			t.Error("still paused")
		}
		pause(true, false, 5*time.Second)
		down(began, 25*time.Second)
		down(began.Add(16*time.Second), 10*time.Second)
		down(began.Add(22*time.Second), 5*time.Second)
	})
}

// TestStoreLeft closes a table during a pause: the table counts as left when the pause began.
func TestStoreLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left time.Time
		store := local.NewStore("here", func(string) (local.Log, error) {
			return local.Log{
				Append: func(...match.Event) error { return nil },
				Close:  func(at time.Time) error { left = at; return nil },
			}, nil
		})
		turn := time.Now()
		moved := match.Event{Seq: 1, Kind: match.Moved, At: turn}
		if err := store.Append(t.Context(), "here", moved, match.State{}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(3 * time.Second)
		store.Pause(true)
		time.Sleep(10 * time.Second)
		if store.Close(turn); left.Sub(turn) != 3*time.Second {
			t.Errorf("left %v after the turn began, want 3s", left.Sub(turn))
		}
	})
}

// TestStoreReleased checks that a table that is not resumed can be opened again.
func TestStoreReleased(t *testing.T) {
	folder, no := local.Folder(t.TempDir()), errors.New("no")
	log, err := folder.Open("here")
	if err == nil {
		opened := match.Event{Seq: 1, Kind: match.Opened, Setup: &match.Setup{Rules: digit.Highest}}
		err = errors.Join(log.Append(opened), log.Close(time.Now()))
	}
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := local.NewStore("here", folder.Open).Resume(t.Context(), time.Now(),
			rand.New(rand.NewPCG(1, 2)), func(match.State) error { return no })
		if !errors.Is(err, no) {
			t.Errorf("got %v, want the error of the check", err)
		}
	}
}
