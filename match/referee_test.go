package match

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// A desk keeps a table for those who follow it.
type desk struct {
	*Table
	asked []Kind        // what was asked for
	lost  error         // what is answered to the next act, which is done all the same
	down  time.Duration // the reported down time
}

func (d *desk) Ask(ctx context.Context, _ string, e Event) (err error) {
	d.asked = append(d.asked, e.Kind)
	switch e.Kind {
	case Moved:
		_, err = d.Play(ctx, e.Seat, *e.Move, e.Seq-1)
	case Resigned:
		_, err = d.Return(ctx, e.Seat) // so that the act makes two events
		if err == nil {
			_, err = d.Do(ctx, e.Seat, Resign, "")
		}
	case RematchAsked:
		_, err = d.Do(ctx, e.Seat, Rematch, "")
	default:
		err = errors.New("not asked for here")
	}
	if d.lost != nil {
		err, d.lost = d.lost, nil
	}
	return err
}

func (d *desk) Events(ctx context.Context, _ string, after int) ([]Event, error) {
	return d.store.Events(ctx, d.id, after)
}

func (d *desk) Down(context.Context, time.Time) (time.Duration, error) { return d.down, nil }

// following returns a table of a minute a turn that is kept at a desk, and one that follows it.
func following(t *testing.T) (*desk, *Table) {
	t.Helper()
	kept, err := Open(t.Context(), "t", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute}}, new(Memory), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(kept.Close)
	if _, err := kept.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := &desk{Table: kept}
	far, err := Follow(t.Context(), "t", d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(far.Close)
	return d, far
}

// TestFollow plays at a table that is kept elsewhere: what happens there is what counts, whatever
// events that takes.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, far := following(t)
		play := func(at *Table, seat Seat, move string) error {
			m, err := digit.ParseMove(move)
			if err != nil {
				t.Fatal(err)
			}
			_, err = at.Play(ctx, seat, m, at.State().Seq)
			return err
		}
		if err := play(far, One, "9a"); err != nil || far.State().Seq != 3 || d.State().Seq != 3 {
			t.Fatalf("a move: %v, event %d here and %d there", err, far.State().Seq, d.State().Seq)
		}
		var refused *digit.MoveError
		if err := play(far, Two, "9a"); !errors.As(err, &refused) || len(d.asked) != 1 {
			t.Errorf("what the rules refuse is asked for: %v, %v", err, d.asked)
		}
		if err := play(d.Table, Two, "8a"); err != nil {
			t.Fatal(err)
		}
		if err := play(far, One, "7b"); !errors.Is(err, ErrStale) || far.State().Seq != 4 {
			t.Errorf("a move for what was before: %v, event %d", err, far.State().Seq)
		}
		d.lost = ErrInDoubt
		if err := play(far, One, "7b"); !errors.Is(err, ErrInDoubt) || far.State().Seq != 5 {
			t.Errorf("a move whose answer is lost: %v, event %d", err, far.State().Seq)
		}
		if _, err := d.Leave(ctx, Two); err != nil {
			t.Fatal(err)
		}
		s, err := far.Do(ctx, Two, Resign, "")
		if err != nil || s.Seq != 8 || s.Result.String() != "1-0 resigned" || len(d.asked) != 3 {
			t.Errorf("an act that makes two events: %v, event %d, %v, asked %v", err, s.Seq, s.Result, d.asked)
		}
		if s, err = far.Do(ctx, One, Rematch, ""); err != nil || s.Game != 1 {
			t.Errorf("one rematch is asked for: %v, game %d", err, s.Game)
		}
		if s, err = far.Do(ctx, Two, Rematch, ""); err != nil || s.Game != 2 || s.Seq != 11 {
			t.Errorf("both want a rematch: %v, game %d, event %d", err, s.Game, s.Seq)
		}
	})
}

// TestFollowClock lets time run out at a table that is kept elsewhere: the referee decides when.
func TestFollowClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx := t.Context()
		d, far := following(t)
		at, timed := far.State().Deadline()
		if !timed || !at.Equal(time.Now().Add(time.Minute)) {
			t.Fatalf("the clock runs: %v until %v", timed, at)
		}
		d.down = 10 * time.Second
		if err := far.Refresh(ctx); err != nil {
			t.Fatal(err)
		}
		if later, _ := far.State().Deadline(); later.Sub(at) != d.down {
			t.Errorf("%v are given back, want %v", later.Sub(at), d.down)
		}
		time.Sleep(59 * time.Second)
		d.Table.Close() // so that nobody is there to say that time is out
		time.Sleep(time.Hour)
		if s := far.State(); !s.Playing() || len(d.asked) != 0 {
			t.Errorf("the game is %v, asked %v", s.Result, d.asked)
		}
		d.lost = ErrTimeout
		if _, err := far.Play(ctx, One, digit.Move{Digit: 9, Spot: digit.SlotAt(0)}, 0); !errors.Is(err, ErrTimeout) || len(d.asked) != 1 {
			t.Errorf("a move after that: %v, asked %v", err, d.asked)
		}
	})
}

// TestFollowNothing follows a table that there is not.
func TestFollowNothing(t *testing.T) {
	if _, err := Follow(t.Context(), "none", &desk{Table: emptyTable("none", new(Memory), nil)}); !errors.Is(err, ErrNoTable) {
		t.Errorf("it is followed: %v", err)
	}
}
