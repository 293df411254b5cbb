package class

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// rounds returns the order of a class with n rounds.
func rounds(n int) Order {
	o := DefaultOrder()
	o.Format, o.Rounds = Rounds, n
	return o
}

// finish plays until the class is over.
func (w *server) finish(c *Class) *State {
	w.t.Helper()
	for range 4 * 3600 {
		s, _ := c.State()
		if s.Phase() == Finished {
			return s
		}
		w.play(c)
		time.Sleep(3 * time.Second)
		synctest.Wait()
	}
	w.t.Fatal("the class does not end")
	return nil
}

// checkClass checks a finished class: the log leads to the same standings, every pairing has the
// result of its table, and no pupil has two byes.
func (w *server) checkClass(c *Class, s *State) {
	w.t.Helper()
	if again := w.replayed(c); !reflect.DeepEqual(again.Standings(), s.Standings()) ||
		again.Phase() != s.Phase() {
		w.t.Error("the log leads to other standings")
	}
	points, byes := map[int]int{}, map[int]int{}
	for _, p := range s.Pairings {
		switch {
		case p.Bye:
			if byes[p.Pupils[0]]++; byes[p.Pupils[0]] > 1 {
				w.t.Errorf("pupil %d has a second bye", p.Pupils[0])
			}
		case p.UnderWay():
			w.t.Errorf("pairing %d has no result", p.Pairing)
		case !p.Void:
			v, err := w.hall.Visit(context.Background(), p.Table)
			if err != nil {
				w.t.Fatal(err)
			}
			wins := [2]int{1, 1}
			if seat, ok := v.Table.State().Leader(); ok {
				wins[seat], wins[seat.Other()] = 2, 0
			}
			v.Close()
			if *p.Points != wins {
				w.t.Errorf("pairing %d: points %v, at the table %v", p.Pairing, *p.Points, wins)
			}
			points[p.Pupils[0]] += wins[0]
			points[p.Pupils[1]] += wins[1]
		}
	}
	for _, row := range s.Standings() {
		if row.Points != points[row.Pupil] {
			w.t.Errorf("pupil %d: %d points, %d at the tables", row.Pupil, row.Points,
				points[row.Pupil])
		}
	}
}

// rematches returns the number of games between pupils who had met before.
func rematches(s *State) (n int) {
	met := map[[2]int]bool{}
	for _, p := range s.Pairings {
		if p.Bye || p.Void {
			continue
		}
		pair := [2]int{min(p.Pupils[0], p.Pupils[1]), max(p.Pupils[0], p.Pupils[1])}
		if met[pair] {
			n++
		}
		met[pair] = true
	}
	return n
}

func TestRounds(t *testing.T) {
	for _, pupils := range []int{2, 5, 12, 29, 30} {
		t.Run(fmt.Sprint(pupils), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newServer(t, nil)
				defer w.close()
				n := max(1, min(5, (pupils-1)/2)) // then no rematch is ever needed
				c := w.newClass(rounds(n), pupils)
				w.act(c, Act{Act: "start"})
				s := w.finish(c)
				w.checkClass(c, s)
				if s.Round != n {
					t.Errorf("%d rounds were played", s.Round)
				}
				if got := rematches(s); got > 0 {
					t.Errorf("%d rematches", got)
				}
				starts := map[int]int{}
				for _, p := range s.Pairings {
					if p.Bye {
						continue
					}
					if starts[p.Pupils[0]] > starts[p.Pupils[1]] {
						t.Errorf("pairing %d: pupil %d starts again", p.Pairing, p.Pupils[0])
					}
					starts[p.Pupils[0]]++
				}
				for _, row := range s.Standings() {
					if row.Games+row.Byes != n {
						t.Errorf("%s: %d games, %d byes", row.Name, row.Games, row.Byes)
					}
				}
			})
		})
	}
}

func TestFlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		c := w.newClass(DefaultOrder(), 30)
		w.act(c, Act{Act: "start"})
		began := time.Now()
		s := w.finish(c)
		w.checkClass(c, s)
		if took := time.Since(began); took < 25*time.Minute || took > 30*time.Minute {
			t.Errorf("the class took %v", took)
		}
		for _, p := range s.Standings() {
			if p.Games < 5 || p.Place == nil {
				t.Errorf("%s: %d games, place %v", p.Name, p.Games, p.Place)
			}
		}
		t.Logf("%d games, %d rematches", len(s.Pairings), rematches(s))
	})
}

// TestPeople lets pupils come late, leave, come back, change phones and be absent.
func TestPeople(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		ctx := context.Background()
		c := w.newClass(DefaultOrder(), 9)
		w.act(c, Act{Act: "start"})
		late := w.join(c, "Late")
		absent := 3
		for range 200 {
			w.play(c, absent)
			time.Sleep(3 * time.Second)
			synctest.Wait()
		}
		s, _ := c.State()
		if s.Status(absent) != IsAway {
			t.Errorf("pupil %d made no move: got status %s, want %s", absent, s.Status(absent), IsAway)
		}
		if _, err := c.Do(ctx, Act{Act: "back"}, absent); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Do(ctx, Act{Act: "leave"}, late.Pupil); err != nil {
			t.Fatal(err)
		}
		// Pupil 1 changes phones, if possible during a game.
		s, _ = c.State()
		old := c.Ticket(s, 1)
		_, ticket, err := c.Rejoin(ctx, old.Rejoin, "other phone")
		if err != nil || ticket.Token == old.Token || ticket.Rejoin == old.Rejoin {
			t.Fatalf("ticket %+v, then %+v, %v", old, ticket, err)
		}
		s, _ = c.State()
		if c.PupilOf(s, old.Token) != 0 || c.PupilOf(s, ticket.Token) != 1 {
			t.Error("the old token is still valid, or the new one is not")
		}
		if _, again, err := c.Rejoin(ctx, old.Rejoin, "other phone"); err != nil || again != ticket {
			t.Errorf("the same phone again: %+v, %v", again, err)
		}
		if _, _, err := c.Rejoin(ctx, old.Rejoin, "third phone"); err == nil {
			t.Error("a rejoin code was used twice")
		}
		if p := s.Pupils[0].Pairing; p > 0 {
			place := c.Place(s, 1, p)
			v, err := w.hall.Visit(ctx, place.Table)
			if err != nil {
				t.Fatal(err)
			}
			oldSeat := w.school.Keys.Fresh(place.Table, place.Seat, old.Token)
			if _, ok := w.school.Keys.Seat(place.Table, v.Table.State(), oldSeat); ok {
				t.Error("the old phone still has its seat")
			}
			v.Close()
		}
		s = w.finish(c)
		w.checkClass(c, s)
		if s.Status(late.Pupil) != HasLeft {
			t.Errorf("the pupil who left: got status %s, want %s", s.Status(late.Pupil), HasLeft)
		}
		for _, row := range s.Standings() {
			if row.Pupil != late.Pupil && row.Games == 0 {
				t.Errorf("%s played no game", row.Name)
			}
		}
	})
}

// TestKill kills a server after a number of writes, and lets another server finish the class.
func TestKill(t *testing.T) {
	for writes := 8; writes < 90; writes += 3 {
		synctest.Test(t, func(t *testing.T) {
			w := newServer(t, nil)
			c := w.newClass(rounds(2), 5)
			writesLeft := writes
			w.store.writesLeft = &writesLeft
			_, _ = c.Do(t.Context(), Act{Act: "start"}, 0)
			for range 100 {
				w.play(c)
				time.Sleep(3 * time.Second)
				synctest.Wait()
			}
			w.close()
			w.store.writesLeft = nil
			w = newServer(t, w)
			defer w.close()
			c, err := w.school.Find(t.Context(), c.ID())
			if err != nil {
				t.Fatal(err)
			}
			if s, _ := c.State(); s.Phase() == Open {
				w.act(c, Act{Act: "start"})
			}
			s := w.finish(c)
			w.checkClass(c, s)
			if got := rematches(s); got > 0 {
				t.Errorf("killed after %d writes: %d rematches", writes, got)
			}
		})
	}
}

// TestTwoServers lets two servers run the same class.
func TestTwoServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := newServer(t, nil)
		defer one.close()
		two := newServer(t, one)
		defer two.close()
		c := one.newClass(rounds(3), 7)
		other, err := two.school.Find(t.Context(), c.ID())
		if err != nil {
			t.Fatal(err)
		}
		if other.Code() != c.Code() || other.Director() != c.Director() {
			t.Error("the servers have different codes or directors")
		}
		two.act(other, Act{Act: "start"})
		one.checkClass(c, one.finish(c))
		time.Sleep(2 * time.Second)
		synctest.Wait()
		a, _ := c.State()
		b, _ := other.State()
		if !reflect.DeepEqual(a.Standings(), b.Standings()) {
			t.Error("the servers have different standings")
		}
	})
}

// TestTablesFirst checks that the table of a pairing is opened before anyone sees the pairing.
func TestTablesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one := newServer(t, nil)
		defer one.close()
		c := one.newClass(rounds(2), 4)
		opened := 0
		one.tables.opens = func(table string) {
			opened++
			if slices.ContainsFunc(c.now().Pairings, func(p Pairing) bool { return p.Table == table }) {
				t.Error("a pairing is visible without its table")
			}
		}
		one.act(c, Act{Act: "start"})
		one.finish(c)
		if opened != 4 {
			t.Errorf("%d tables were opened", opened)
		}
	})
}

// TestDeleted checks that a class is deleted when its time is over, played or not.
func TestDeleted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		open, played := w.newClass(DefaultOrder(), 2), w.newClass(rounds(1), 2)
		w.act(played, Act{Act: "start"})
		s := w.finish(played)
		if at := s.Deleted(); at.Sub(s.Over) != day {
			t.Errorf("deleted %v after the end, want %v", at.Sub(s.Over), day)
		}
		time.Sleep(day - time.Minute)
		synctest.Wait()
		if w.store.classes() != 2 {
			t.Error("a class was deleted too early")
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if n := w.store.classes(); n != 0 {
			t.Errorf("%d classes were not deleted", n)
		}
		var refusal *Refusal
		if _, err := w.school.Find(t.Context(), open.ID()); !errors.As(err, &refusal) ||
			refusal.Cause != Missing {
			t.Errorf("found a deleted class: %v", err)
		}
	})
}

// TestPairUp compares the pairs of small classes with the best of all possible ones, and checks
// that the heuristic for large classes makes no rematches and at most one bye per pupil.
func TestPairUp(t *testing.T) {
	var best func(cost func(a, b int) int, left []int) int
	best = func(cost func(a, b int) int, left []int) int {
		if len(left) == 0 {
			return 0
		}
		least := 1 << 60
		for i := 1; i < len(left); i++ {
			rest := slices.Delete(slices.Clone(left), i, i+1)[1:]
			least = min(least, cost(left[0], left[i])+best(cost, rest))
		}
		return least
	}
	for range 200 {
		n := 2 + 2*rand.IntN(4)
		met := map[[2]int]int{}
		players, all := make([]player, n), make([]int, n)
		for i := range players {
			players[i] = player{Standing: Standing{Pupil: i, Points: rand.IntN(9)}}
			all[i] = i
			for j := range i {
				met[[2]int{i, j}] = rand.IntN(2)
				met[[2]int{j, i}] = met[[2]int{i, j}]
			}
		}
		cost := func(a, b int) int {
			apart := players[a].Points - players[b].Points
			return rematch*met[[2]int{a, b}] + apart*apart
		}
		sum := 0
		for _, p := range pairUp(players, func(a, b int) int { return met[[2]int{a, b}] }) {
			sum += cost(p[0].Pupil, p[1].Pupil)
		}
		if want := best(cost, all); sum != want {
			t.Fatalf("%d players: cost %d, least %d", n, sum, want)
		}
	}
	for _, n := range []int{18, 19, 20, 31, 64, 199, 200} {
		s := &State{Order: rounds(9), Seq: 1, Pupils: make([]Pupil, n)}
		for range 9 {
			events := s.pairing(time.Time{}, s.Round+1)
			if len(events) != 1 || len(events[0].Pairings) != (n+1)/2 {
				t.Fatalf("%d pupils: %+v", n, events)
			}
			events[0].Seq = s.Seq + 1
			if err := s.apply(events[0]); err != nil {
				t.Fatal(err)
			}
			for i := range s.Pairings {
				if p := &s.Pairings[i]; p.UnderWay() {
					p.Points = &[][2]int{{2, 0}, {1, 1}, {0, 2}}[rand.IntN(3)]
				}
			}
		}
		byes := 0
		for _, row := range s.Standings() {
			byes = max(byes, row.Byes)
		}
		if got := rematches(s); got > 0 || byes > 1 {
			t.Errorf("%d pupils, 9 rounds: %d rematches, up to %d byes", n, got, byes)
		}
	}
}

// TestStandings compares the order of random results with one computed in floating point.
func TestStandings(t *testing.T) {
	for range 300 {
		s := &State{Pupils: make([]Pupil, 1+rand.IntN(8))}
		for i := range rand.IntN(20) {
			p := Pairing{
				Pairing: i + 1, Points: &[][2]int{{2, 0}, {1, 1}, {0, 2}}[rand.IntN(3)],
				Decisions: &[2][2]int{{rand.IntN(3), 3}, {rand.IntN(3), 3}},
				Pupils:    []int{1 + rand.IntN(len(s.Pupils)), 1 + rand.IntN(len(s.Pupils))},
			}
			s.Pairings = append(s.Pairings, p)
		}
		rows := s.Standings()
		exact := func(r Standing) float64 { return float64(r.Points+2) / float64(2*(r.Games+2)) }
		right := func(r Standing) float64 { return float64(r.Right) / float64(max(1, r.Decisions)) }
		for i, row := range rows {
			if want := int(100*exact(row) + 0.5 + 1e-9); row.Score != want {
				t.Fatalf("%+v: score %d, want %d", row, row.Score, want)
			}
			if i == 0 {
				continue
			}
			last := rows[i-1]
			ahead := exact(last) > exact(row)+1e-9
			even := exact(last) > exact(row)-1e-9
			same := even && !ahead && right(last) == right(row)
			switch {
			case last.Place == nil && row.Place != nil:
				t.Fatalf("%+v is behind %+v, which has no place", row, last)
			case row.Place == nil:
			case !ahead && !(even && right(last) >= right(row)):
				t.Fatalf("%+v is ahead of %+v", last, row)
			case same != (*last.Place == *row.Place):
				t.Fatalf("%+v and %+v", last, row)
			}
		}
	}
}

// TestPlaces checks that a pupil with less than half the usual number of games has no place.
func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		games  [][2]int // the pupils of each game; all are draws
		pupils int
		placed []int
	}{
		{nil, 2, nil},
		{[][2]int{{1, 2}, {3, 4}, {3, 4}, {3, 4}, {3, 4}}, 4, []int{1, 2, 3, 4}},
		{[][2]int{{1, 2}, {1, 2}, {1, 2}, {1, 2}, {2, 3}}, 3, []int{1, 2}},
		{[][2]int{{1, 2}, {1, 2}, {2, 3}}, 3, []int{1, 2, 3}},
	} {
		s := &State{Pupils: make([]Pupil, test.pupils)}
		for i, pupils := range test.games {
			s.Pairings = append(s.Pairings, Pairing{
				Pairing: i + 1, Pupils: pupils[:], Points: &[2]int{1, 1},
			})
		}
		var placed []int
		for _, row := range s.Standings() {
			if row.Place != nil {
				placed = append(placed, row.Pupil)
			}
		}
		if slices.Sort(placed); !slices.Equal(placed, test.placed) {
			t.Errorf("games %v: pupils %v have a place, want %v", test.games, placed, test.placed)
		}
	}
}

// TestRest checks that the next round begins some time after the last game of a round.
func TestRest(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	o := rounds(2)
	o.Auto = true
	s := &State{Order: o, Seq: 1, Started: now, Round: 1, Pupils: make([]Pupil, 4)}
	for i := range 2 {
		s.Pairings = append(s.Pairings,
			Pairing{Pairing: i + 1, Round: 1, Pupils: []int{2*i + 1, 2*i + 2}})
	}
	for i := range s.Pairings {
		now = now.Add(time.Minute)
		e := Event{Seq: s.Seq + 1, At: now, Kind: Scored, Pairing: i + 1, Points: &[2]int{1, 1}}
		if err := s.apply(e); err != nil {
			t.Fatal(err)
		}
	}
	for d, want := range map[time.Duration]int{restBetween - 1: 0, restBetween: 1} {
		if got := len(s.clockEvents(now.Add(d), true)); got != want {
			t.Errorf("%v after the last game: got %d events, want %d", d, got, want)
		}
	}
}

// TestSwappedSides checks that decisions count for the pupils who made them in both games of a
// pair.
func TestSwappedSides(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		w.school.Decisions = func(context.Context, string, digit.Record) ([2][2]int, error) {
			return [2][2]int{{1, 1}, {0, 1}}, nil
		}
		o := rounds(1)
		o.Rules = digit.Dilemma // a pair
		c := w.newClass(o, 2)
		w.act(c, Act{Act: "start"})
		want := [2][2]int{{1, 2}, {1, 2}}
		if s := w.finish(c); *s.Pairings[0].Decisions != want {
			t.Errorf("got %v, want %v", *s.Pairings[0].Decisions, want)
		}
	})
}

// TestAwayPhone checks that a pupil who was absent is back with another phone.
func TestAwayPhone(t *testing.T) {
	s := &State{Seq: 1, Pupils: []Pupil{{Away: true}}}
	err := s.apply(Event{Seq: 2, Kind: Rejoined, Pupil: 1, Seal: "seal", Key: "key"})
	if err != nil || s.Status(1) != Waiting {
		t.Errorf("got status %s, %v, want %s", s.Status(1), err, Waiting)
	}
}

// TestSameKey checks that an order that is repeated within the time allowed gets the same class.
func TestSameKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		first, err := w.school.Create(t.Context(), DefaultOrder(), "a key")
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			time.Sleep(match.KeyTime / 4)
			c, err := w.school.Create(t.Context(), DefaultOrder(), "a key")
			if err != nil || c.ID() != first.ID() {
				t.Errorf("got class %s, %v, want %s", c.ID(), err, first.ID())
			}
		}
	})
}

// TestNext checks that a round can begin only if no game is in progress and two pupils are there,
// up to the last round.
func TestNext(t *testing.T) {
	under, over := Pairing{Pupils: []int{1, 2}}, Pairing{Pupils: []int{1, 2}, Points: &[2]int{1, 1}}
	both, one := []Pupil{{}, {}}, []Pupil{{}, {Left: true}}
	for _, test := range []struct {
		order  Order
		pupils []Pupil
		round  int
		last   Pairing
		want   string
	}{
		{rounds(2), both, 1, over, "<nil>"},
		{rounds(2), both, 1, under, "next: games of this round under way: 1; allowed: 0"},
		{rounds(2), both, 2, over, "next: round 2 was the last one"},
		{rounds(2), one, 1, over, "next: pupils here: 1; allowed: 2 or more"},
		{DefaultOrder(), both, 0, over, "next: a flow has no rounds"},
	} {
		s := &State{Order: test.order, Pupils: test.pupils, Round: test.round,
			Pairings: []Pairing{test.last}}
		if got := fmt.Sprint(s.mayBegin()); got != test.want {
			t.Errorf("round %d of %d: %s, want %s", test.round, test.order.Rounds, got, test.want)
		}
	}
}

// TestLonePair checks that two pupils who have met play again once one of them has waited long
// enough.
func TestLonePair(t *testing.T) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		waited [2]time.Duration
		games  int
	}{
		{[2]time.Duration{0, 0}, 0},
		{[2]time.Duration{loneWait - 1, loneWait - 1}, 0},
		{[2]time.Duration{loneWait, 0}, 1},
		{[2]time.Duration{0, loneWait}, 1},
	} {
		s := &State{Order: DefaultOrder(), Pairings: []Pairing{
			{Pairing: 1, Pupils: []int{1, 2}, Points: &[2]int{1, 1}},
		}}
		for _, waited := range test.waited {
			s.Pupils = append(s.Pupils, Pupil{Free: now.Add(-waited)})
		}
		if got := len(s.pairing(now, 0)); got != test.games {
			t.Errorf("after a wait of %v: got %d games, want %d", test.waited, got, test.games)
		}
	}
}

// TestRemoved removes a pupil from a class, which voids their game, and readmits them.
func TestRemoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		c := w.newClass(rounds(1), 4)
		w.act(c, Act{Act: "start"})
		if _, err := c.Do(t.Context(), Act{Act: "leave"}, 1); err != nil {
			t.Fatal(err)
		}
		w.act(c, Act{Act: "remove", Pupil: 1})
		s, _ := c.State()
		for _, p := range s.Pairings {
			if own := slices.Contains(p.Pupils, 1); p.Void != own {
				t.Errorf("pupils %v: void is %v", p.Pupils, p.Void)
			}
		}
		if n := len(s.Standings()); n != 3 {
			t.Errorf("%d pupils are ranked, want 3", n)
		}
		w.act(c, Act{Act: "readmit", Pupil: 1})
		if s, _ = c.State(); s.Status(1) != Waiting || len(s.Standings()) != 4 {
			t.Errorf("readmitted: %s, %d pupils", s.Status(1), len(s.Standings()))
		}
	})
}

// TestRepair checks that "repair" pairs the pupils without a move again, and does not touch a pair
// in its second game.
func TestRepair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		o := rounds(1)
		o.Rules = digit.Dilemma // a pair
		c := w.newClass(o, 4)
		w.act(c, Act{Act: "start"})
		s, _ := c.State()
		v, err := w.hall.Visit(t.Context(), s.Pairings[0].Table)
		if err != nil {
			t.Fatal(err)
		}
		defer v.Close()
		if _, err := v.Table.Do(t.Context(), match.One, match.Resign, ""); err != nil {
			t.Fatal(err)
		}
		time.Sleep(restBetweenGames + 2*time.Second)
		synctest.Wait()
		if now := v.Table.State(); now.Game != 2 || len(now.Moves) > 0 {
			t.Fatalf("game %d, moves %v", now.Game, now.Moves)
		}
		w.act(c, Act{Act: "repair"})
		if s, _ = c.State(); s.Pairings[0].Void || !s.Pairings[1].Void || len(s.Pairings) != 3 {
			t.Errorf("pairings %+v", s.Pairings)
		}
	})
}

// TestActed checks which players count as present in a game that no move decided.
func TestActed(t *testing.T) {
	for result, want := range map[digit.Result][2]bool{
		{Score: digit.FirstWins, Reason: digit.Resignation}: {false, true},
		{Score: digit.FirstWins, Reason: digit.Departure}:   {true, false},
		{Score: digit.FirstWins, Reason: digit.TimeOut}:     {false, false},
	} {
		for _, first := range match.Seats {
			game := match.State{Setup: match.Setup{First: first}, Game: 1, Result: result}
			got := [2]bool{acted(game, first), acted(game, first.Other())}
			if got != want {
				t.Errorf("%v, seat %v first: %v acted, want %v", result, first, got, want)
			}
		}
	}
}

// FuzzActs does random acts, and checks that the final state follows from the log.
func FuzzActs(f *testing.F) {
	f.Add([]byte("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"))
	f.Add([]byte{3, 0, 0, 9, 1, 1, 7, 7, 2, 5, 5, 0, 13, 11, 4, 200, 100, 50})
	names := []string{"repair", "odd"}
	for name := range actRules {
		names = append(names, name)
	}
	slices.Sort(names)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 60 {
			return
		}
		synctest.Test(t, func(t *testing.T) {
			w := newServer(t, nil)
			defer w.close()
			o := DefaultOrder()
			if len(data)%2 == 0 {
				o = rounds(3)
			}
			c := w.newClass(o, 4)
			w.act(c, Act{Act: "start"})
			for i, b := range data {
				a := Act{
					Act: names[int(b)%len(names)], Pupil: int(b>>3) % 6, Pairing: int(b>>2) % 8,
					Minutes: int(b) % 40, Name: string(rune(b)), Points: &[2]int{int(b) % 3, 1},
				}
				by := 0
				if i%3 == 0 {
					by = 1 + int(b)%4
				}
				_, err := c.Do(t.Context(), a, by)
				var refusal *Refusal
				if err != nil && !errors.As(err, &refusal) {
					t.Fatalf("%+v: %v", a, err)
				}
				w.play(c)
				time.Sleep(time.Duration(b) * time.Second / 10)
			}
			s, _ := c.State()
			if again := w.replayed(c); !reflect.DeepEqual(again.Standings(), s.Standings()) {
				t.Error("the log leads to other standings")
			}
			for i, p := range s.Pupils {
				if p.Pairing > 0 && !slices.Contains(s.Pairings[p.Pairing-1].Pupils, i+1) {
					t.Errorf("pupil %d is in pairing %d", i+1, p.Pairing)
				}
			}
		})
	})
}

func TestNames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		c := w.newClass(DefaultOrder(), 0)
		for _, test := range [][2]string{
			{"Mia", "Mia"}, {"mia", "mia 2"}, {" MIA ", "MIA 3"}, {"Zoë", "Zoë"},
			{"<b>", "<b>"}, {"\u202eevil", "evil"},
		} {
			_, ticket, err := c.Join(t.Context(), test[0], test[0])
			if err != nil || ticket.Name != test[1] {
				t.Errorf("%q joins as %q, %v", test[0], ticket.Name, err)
			}
		}
		if _, same, _ := c.Join(t.Context(), "Another name", "Mia"); same.Pupil != 1 {
			t.Errorf("a phone that joins twice: got %+v, want pupil 1", same)
		}
		w.act(c, Act{Act: "remove", Pupil: 1})
		if _, _, err := c.Join(t.Context(), "Mia again", "Mia"); err == nil {
			t.Error("a removed pupil joined again with the same phone")
		}
		for _, name := range []string{"", "  ", "\u200b"} {
			if _, _, err := c.Join(t.Context(), name, ""); err == nil {
				t.Errorf("joined as %q", name)
			}
		}
		o := DefaultOrder()
		o.Names = []string{"Ada", "Ben"}
		c = w.newClass(o, 0)
		if w.join(c, "ada").Name != "Ada" {
			t.Error("the name is not spelled as in the list")
		}
		for _, name := range []string{"Ada", "Eve"} {
			if _, _, err := c.Join(t.Context(), name, "k"+name); err == nil {
				t.Errorf("joined as %s", name)
			}
		}
	})
}

func TestCodes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newServer(t, nil)
		defer w.close()
		c := w.newClass(DefaultOrder(), 2)
		code, invitation := c.Code(), c.Invitation()
		if found, err := w.school.FindByCode(t.Context(), code); err != nil || found != c {
			t.Errorf("found %v by the code, %v", found, err)
		}
		for range mostWrong {
			if c.Admits("WRONG2", "") == nil {
				t.Fatal("a wrong code was accepted")
			}
		}
		if err := c.Admits(code, ""); !errors.Is(err, ErrGuessed) {
			t.Errorf("the right code after %d wrong ones: %v", mostWrong, err)
		}
		if err := c.Admits("", invitation); err != nil {
			t.Error(err)
		}
		w.act(c, Act{Act: "recode"})
		if c.Code() == code || c.Admits(code, "") == nil || c.Admits("", invitation) == nil {
			t.Error("an old code or invitation was accepted")
		}
		if err := c.Admits(c.Code(), ""); err != nil {
			t.Error(err)
		}
		w.act(c, Act{Act: "lock"})
		if c.Code() != "" || c.Admits(code, "") == nil || c.Admits("", c.Invitation()) == nil {
			t.Error("a locked class accepted a code or invitation")
		}
		w.act(c, Act{Act: "unlock"})
		if c.Code() == "" {
			t.Error("an unlocked class has no code")
		}
	})
}

// TestCodeLetters checks that all letters of codes are about equally frequent.
func TestCodeLetters(t *testing.T) {
	w := newServer(t, nil)
	defer w.close()
	seen := map[rune]int{}
	const codes = 2000
	for i := range codes {
		c := &Class{id: fmt.Sprint(i), school: w.school}
		for _, letter := range c.code(&State{}) {
			seen[letter]++
		}
	}
	mean := 6 * codes / len(codeLetters) // 375, with a deviation of 19
	for _, letter := range codeLetters {
		if n := seen[letter]; n < mean-120 || n > mean+120 {
			t.Errorf("%c: %d times in %d codes", letter, n, codes)
		}
	}
}

func TestOrder(t *testing.T) {
	for _, book := range append(slices.Clone(digit.Books[:]), digit.Fair...) {
		o := DefaultOrder()
		o.Rules = book.Rules
		o, err := o.Checked()
		if err != nil {
			t.Errorf("%s: %v", book.Name, err)
			continue
		}
		if isBook := slices.Contains(digit.Books[:], book); *o.Pair != isBook {
			t.Errorf("%s: pair %v", book.Name, *o.Pair)
		}
	}
	for name, change := range map[string]func(*Order){
		"minutes": func(o *Order) { o.Minutes = 91 }, "rounds": func(o *Order) { o.Rounds = 10 },
		"wait": func(o *Order) { o.Wait = 0 }, "keep": func(o *Order) { o.Keep = Span(91 * day) },
		"format": func(o *Order) { o.Format = "knockout" }, "title": func(o *Order) { o.Title = " " },
		"names":     func(o *Order) { o.Names = []string{"Mia", "mia"} },
		"turn time": func(o *Order) { o.TurnTime = 0 },
	} {
		o := DefaultOrder()
		change(&o)
		var refusal *Refusal
		if _, err := o.Checked(); !errors.As(err, &refusal) || refusal.Cause != Invalid {
			t.Errorf("%s: %v", name, err)
		}
	}
}
