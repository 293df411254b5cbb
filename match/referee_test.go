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

// A testReferee keeps a table that other tables follow.
type testReferee struct {
	*Table
	asked []Kind        // the kinds of events that were asked for
	lost  error         // the answer to the next act, which is done anyway
	down  time.Duration // the reported down time
}

func (d *testReferee) Ask(ctx context.Context, _ string, e Event) (err error) {
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

func (d *testReferee) Events(ctx context.Context, _ string, after int) ([]Event, error) {
	return d.store.Events(ctx, d.id, after)
}

func (d *testReferee) Down(context.Context, time.Time) (time.Duration, error) { return d.down, nil }

// following returns a referee with a table of one minute per turn, and a table that follows it.
func following(t *testing.T) (*testReferee, *Table) {
	t.Helper()
	setup := Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Minute}}
	kept, err := Open(t.Context(), "t", setup, new(Memory), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(kept.Close)
	if _, err := kept.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	d := &testReferee{Table: kept}
	far, err := Follow(t.Context(), "t", d)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(far.Close)
	return d, far
}

// TestFollow plays at a table that follows a referee: the referee's events count, even if an act
// makes several of them.
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
			t.Fatalf("a move: %v, event %d here and %d at the referee", err, far.State().Seq, d.State().Seq)
		}
		var refused *digit.MoveError
		if err := play(far, Two, "9a"); !errors.As(err, &refused) || len(d.asked) != 1 {
			t.Errorf("an illegal move: got %v, asked the referee for %v", err, d.asked)
		}
		if err := play(d.Table, Two, "8a"); err != nil {
			t.Fatal(err)
		}
		if err := play(far, One, "7b"); !errors.Is(err, ErrStale) || far.State().Seq != 4 {
			t.Errorf("a move for an earlier state: %v, event %d", err, far.State().Seq)
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

// TestFollowClock lets the time run out at a table that follows a referee: the referee decides
// when.
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
			t.Errorf("the deadline moved by %v, want %v", later.Sub(at), d.down)
		}
		time.Sleep(59 * time.Second)
		d.Table.Close() // so that the referee's clock does not act
		time.Sleep(time.Hour)
		if s := far.State(); !s.Playing() || len(d.asked) != 0 {
			t.Errorf("result %v, asked %v; want a game in progress", s.Result, d.asked)
		}
		d.lost = ErrTimeout
		_, err := far.Play(ctx, One, digit.Move{Digit: 9, Spot: digit.SlotAt(0)}, 0)
		if !errors.Is(err, ErrTimeout) || len(d.asked) != 1 {
			t.Errorf("a move after that: %v, asked %v", err, d.asked)
		}
	})
}

// TestFollowNothing checks that a table that does not exist cannot be followed.
func TestFollowNothing(t *testing.T) {
	_, err := Follow(t.Context(), "none", &testReferee{Table: emptyTable("none", new(Memory), nil)})
	if !errors.Is(err, ErrNoTable) {
		t.Errorf("got %v, want ErrNoTable", err)
	}
}
