package match

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// doubtStore is a store whose answers can get lost: Append then returns ErrInDoubt.
type doubtStore struct {
	Memory
	lose  bool // whether the next answer is lost
	keeps bool // whether the event is saved anyway
}

func (u *doubtStore) Append(ctx context.Context, table string, e Event, after State) error {
	if !u.lose {
		return u.Memory.Append(ctx, table, e, after)
	}
	u.lose = false
	if u.keeps {
		if err := u.Memory.Append(ctx, table, e, after); err != nil {
			return err
		}
	}
	return fmt.Errorf("the wire broke: %w", ErrInDoubt)
}

// TestDoubt plays a move when it is unknown whether the store saved it. The hall finds out by
// itself; before and after that, the next move is judged by the saved events.
func TestDoubt(t *testing.T) {
	tests := []struct {
		keeps bool
		wait  bool // until the hall has read the store
		next  string
		want  string
	}{
		{true, false, "1 9a", "seq 3, game 1 9__/___ * 0–0, Player 2 to move"}, // the same move again, for the same event
		{false, false, "1 9a", "seq 3, game 1 9__/___ * 0–0, Player 2 to move"},
		{true, false, "1 8b", "the table has gone on since"},
		{false, false, "1 8b", "seq 3, game 1 _8_/___ * 0–0, Player 2 to move"},
		{true, false, "2 8b", "seq 4, game 1 9__/_8_ * 0–0, Player 1 to move"},
		{false, false, "2 8b", "it is not your turn"},
		{true, true, "1 9a", "seq 3, game 1 9__/___ * 0–0, Player 2 to move"},
		{false, true, "1 9a", "seq 3, game 1 9__/___ * 0–0, Player 2 to move"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v %v %s", test.keeps, test.wait, test.next), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &doubtStore{keeps: test.keeps}
				saveTable(t, store, "t", Setup{Rules: digit.Highest}, "begin")
				v := enter(t, newHall(t, store, HallConfig{}), "t", nil, "")
				defer v.Close()
				before := v.Table.State()
				store.lose = true
				nine, _ := digit.ParseMove("9a")
				s, err := v.Table.Play(t.Context(), One, nine, before.Seq)
				if !errors.Is(err, ErrInDoubt) || diff(s, before) != "" {
					t.Fatalf("got %v, %s", err, summary(s))
				}
				if test.wait {
					advance(2 * time.Second)
					if seq := v.Table.State().Seq; seq != before.Seq+len(savedEvents(t, store, "t"))-2 || v.Table.inDoubt() {
						t.Errorf("the table is at event %d, in doubt: %v", seq, v.Table.inDoubt())
					}
				}
				seat, seen := One, before.Seq
				if test.next[0] == '2' {
					seat, seen = Two, 0
				}
				m, _ := digit.ParseMove(test.next[2:])
				s, err = v.Table.Play(t.Context(), seat, m, seen)
				got := fmt.Sprintf("seq %d, %s", s.Seq, summary(s))
				if err != nil {
					got = err.Error()
				}
				if got != test.want {
					t.Errorf("got %s, want %s", got, test.want)
				}
			})
		})
	}
}
