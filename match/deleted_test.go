package match

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
)

// sweptStore is a store whose tables another program can delete.
type sweptStore struct {
	Memory
	swept atomic.Bool
}

func (s *sweptStore) Append(ctx context.Context, table string, e Event, after State) error {
	if s.swept.Load() && e.Seq > 1 {
		return ErrConflict // there is no event before it
	}
	return s.Memory.Append(ctx, table, e, after)
}

func (s *sweptStore) Events(ctx context.Context, table string, after int) ([]Event, error) {
	if s.swept.Load() {
		return nil, nil
	}
	return s.Memory.Events(ctx, table, after)
}

// TestATableThatWasDeleted deletes a table with a player, a watcher and an opponent on another
// server. Acts return ErrNoTable, the watch ends, and the hall unloads the table although all of
// them are still there.
func TestATableThatWasDeleted(t *testing.T) {
	for _, how := range []struct {
		name string
		find func(t *testing.T, h *Hall, v *Visit) error
	}{
		{"by an act", func(t *testing.T, _ *Hall, v *Visit) error {
			_, err := v.Table.Do(t.Context(), One, Resign, "")
			return err
		}},
		{"by a refusal", func(t *testing.T, _ *Hall, v *Visit) error {
			_, err := v.Table.Begin(t.Context())
			return err
		}},
		{"by a notice", func(t *testing.T, h *Hall, v *Visit) error {
			h.Notice(Notice{Table: "t"})
			synctest.Wait()
			_, err := v.Table.Do(t.Context(), One, Resign, "")
			return err
		}},
	} {
		t.Run(how.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, guests := new(sweptStore), &guestList{here: map[string]map[string]Presence{}}
				saveTable(t, store, "t", Setup{Rules: digit.Highest, Terms: Terms{TurnTime: time.Hour}}, "begin")
				h := newHall(t, store, HallConfig{Guests: serverGuests{guests, "here"}})
				v := enter(t, h, "t", nil, "")
				defer v.Close()
				defer v.StayToWatch()()
				advance(2 * time.Second) // until the presence is announced
				watched := make(chan struct{})
				go func() {
					for range v.Table.Watch(t.Context(), 0) { //nolint:revive // until it ends
					}
					close(watched)
				}()
				store.swept.Store(true)
				if err := how.find(t, h, v); !errors.Is(err, ErrNoTable) {
					t.Errorf("an act: got %v, want ErrNoTable", err)
				}
				<-watched
				if _, err := h.Visit(t.Context(), "t"); !errors.Is(err, ErrNoTable) {
					t.Errorf("a visit: got %v, want ErrNoTable", err)
				}
				advance(2 * time.Second)
				if n := h.Len(); n != 0 {
					t.Errorf("got %d tables in the hall, want none", n)
				}
				there, _ := serverGuests{guests, "there"}.OtherServers(t.Context(), "t")
				if there["t"] != (Presence{}) {
					t.Errorf("other servers still see %+v", there["t"])
				}
			})
		})
	}
}
