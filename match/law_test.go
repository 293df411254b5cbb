package match

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"digitduel/digit"
)

// diff describes the differences between two states.
func diff(a, b State) string {
	if reflect.DeepEqual(a, b) { // faster than cmp.Diff
		return ""
	}
	return cmp.Diff(a, b, cmpopts.EquateComparable(digit.Position{}, digit.Move{}))
}

// allKinds lists all kinds again, independent of the product's list.
var allKinds = []Kind{
	Opened, Seated, Began, Arrived, Moved, Resigned, Flagged, UndoAsked, UndoRefused, UndoWithdrawn,
	Undone, Left, Back, Claimed, Replaced, Ready, RematchAsked, RematchRefused, HintsAgreed,
	HintsEnded, Published, Rekeyed, Swapped, Faulted,
}

// quick is a game of one digit each that is often drawn.
var quick = digit.Rules{
	Pool: digit.PoolOf(1, 3, 5, 7), Place: digit.Ends, Width: 1, Target: 2, Win: digit.EachTurn,
	Final: digit.FinalBy(digit.Below),
}

// TestLaws applies random events, valid and invalid, and compares each result with a simple model
// that computes everything from the list of past events. It adds walks until each kind of event has
// been both accepted and refused.
func TestLaws(t *testing.T) {
	const walks, most = 60, 600
	took, refused := map[Kind]int{}, map[Kind]int{}
	rare := func(k Kind) bool { return took[k] == 0 || refused[k] == 0 }
	for seed := 0; seed < walks || seed < most && slices.ContainsFunc(allKinds, rare); seed++ {
		w := newWalk(t, rand.New(rand.NewPCG(uint64(seed), 1)))
		took[Opened]++
		for range 250 {
			w.step(t, took, refused)
		}
		w.replay(t)
		if t.Failed() {
			t.Fatalf("walk %d, events %+v", seed, w.log)
		}
	}
	t.Logf("accepted events: %v", took)
	for _, k := range allKinds {
		if rare(k) {
			t.Errorf("%s was accepted %d times and refused %d times", k, took[k], refused[k])
		}
	}
	for _, k := range Kinds() {
		if !slices.Contains(allKinds, k) {
			t.Errorf("allKinds has no %s", k)
		}
	}
}

// A walk is a random sequence of events, with its model and the states of the product.
type walk struct {
	model
	rng    *rand.Rand
	states []State // after each event, from the zero State on
}

func newWalk(t *testing.T, rng *rand.Rand) *walk {
	coin := func() bool { return rng.IntN(2) == 0 }
	setup := Setup{
		Rules: []digit.Rules{quick, quick, digit.Highest, digit.Sevens, digit.Dilemma}[rng.IntN(5)],
		Names: [2]string{"Ada", ""},
		First: Seat(rng.IntN(2)),
		Terms: Terms{
			BestOf: []int{0, 1, 3}[rng.IntN(3)], Hints: coin(),
			TurnTime: time.Duration(rng.IntN(3)) * time.Minute, OnTimeout: TimeoutRule(rng.IntN(2)),
		},
		FreeUndo: coin(), Listed: coin(),
	}
	switch rng.IntN(4) {
	case 0:
		setup.BestOf, setup.Pair = 0, true
		if setup.Rules == quick && coin() {
			setup.Openings = "1R,3R"
		}
	case 1:
		setup.Swap = true
	}
	for _, seat := range Seats {
		switch rng.IntN(4) {
		case 0:
			setup.Open[seat] = true
		case 1:
			setup.Levels[seat] = "expert"
		case 2:
			setup.Seals[seat] = "s"
		}
	}
	if rng.IntN(4) == 0 {
		setup.Agent = Agent{Seed: rng.Uint64(), Tries: uint8(1 + rng.IntN(3)), Run: "run"}
		setup.BestOf, setup.FreeUndo = min(setup.BestOf, 1), false
		setup.Open, setup.Levels = [2]bool{}, [2]string{}
		setup.Levels[rng.IntN(2)] = "expert"
	}
	if rng.IntN(4) == 0 {
		setup.Class, setup.Listed, setup.Hints = "c", false, false
	}
	w := &walk{model: model{setup: setup}, rng: rng}
	w.log = []Event{{Seq: 1, At: time.Unix(1e9, 0).UTC(), Kind: Opened, Setup: &setup}}
	s, err := State{}.Apply(w.log[0])
	if err != nil {
		t.Fatal(err)
	}
	w.states = []State{{}, s}
	return w
}

// randomEvent returns an event that often can follow, and sometimes never can.
func (w *walk) randomEvent() Event {
	e := Event{
		Seq: len(w.log) + 1, At: w.log[0].At.Add(time.Duration(len(w.log)) * time.Second),
		Kind: allKinds[w.rng.IntN(len(allKinds))], Seat: Seat(w.rng.IntN(2)),
	}
	switch playing := w.playing(); {
	case playing && w.rng.IntN(2) == 0:
		e.Kind, e.Seat = Moved, w.turn()
	case !playing && w.rng.IntN(2) == 0:
		e.Kind = []Kind{Seated, Began, RematchAsked, Ready}[w.rng.IntN(4)]
	}
	if s := w.states[len(w.states)-1]; s.MaySwap() && w.rng.IntN(3) == 0 {
		e.Kind, e.Seat = Swapped, w.turn()
	}
	if w.playing() && w.setup.Agent.Tries > 0 && w.rng.IntN(4) == 0 {
		e.Kind, e.Seat = Faulted, w.turn()
	}
	for _, seat := range Seats {
		if w.asks(seat) && w.rng.IntN(5) == 0 {
			e.Kind, e.Seat = UndoRefused, seat.Other()
			if w.rng.IntN(3) == 0 {
				e.Kind, e.Seat = UndoWithdrawn, seat
			}
		}
	}
	switch e.Kind {
	case Began:
		e.Waits = w.rng.IntN(2) == 0
	case Opened:
		e.Setup = &w.setup
	case Seated:
		e.Name, e.Seal = []string{"", "Ada", "Ben"}[w.rng.IntN(3)], []string{"", "s"}[w.rng.IntN(2)]
	case Rekeyed:
		e.Seal = []string{"", "r", "s", "t"}[w.rng.IntN(4)]
	case Faulted:
		e.Fault = Fault(w.rng.IntN(4))
	case Replaced:
		e.Level = []string{"", "casual", "expert"}[w.rng.IntN(3)]
	case Moved:
		if m, ok := w.setup.Rules.Pick(w.position(), w.rng.IntN); ok {
			e.Move = &m
		}
		e.Auto = w.rng.IntN(8) == 0
	}
	switch w.rng.IntN(60) {
	case 0:
		e.Seq += w.rng.IntN(3) - 1
	case 1:
		e.Seat = Seat(w.rng.IntN(256))
	case 2:
		e.Kind = "sang"
	case 3:
		e.Setup = &w.setup
	case 4:
		e.Move = nil
	case 5:
		e.Kind = Moved
		e.Move = &digit.Move{Digit: digit.Digit(w.rng.IntN(256)), Spot: digit.Spot(w.rng.IntN(256))}
	}
	return e
}

// step applies a random event, and compares the result with that of the model.
func (w *walk) step(t *testing.T, took, refused map[Kind]int) {
	e, before := w.randomEvent(), w.states[len(w.states)-1]
	allowed := w.allows(e)
	moves := slices.Clone(before.Moves)
	after, err := before.Apply(e)
	if (err == nil) != allowed {
		t.Fatalf("%+v: the model allows it: %v, Apply returned %v", e, allowed, err)
	}
	if !slices.Equal(moves, before.Moves) {
		t.Fatalf("%+v changed the moves of the state before it", e)
	}
	if err != nil {
		refused[e.Kind]++
		if d := diff(before, after); d != "" {
			t.Errorf("%+v was refused and changed the state:\n%s", e, d)
		}
		return
	}
	took[e.Kind]++
	w.log, w.states = append(w.log, e), append(w.states, after)
	if !after.Asking {
		after.Asker = One // it has no meaning then
	}
	if d := diff(w.state(), after); d != "" {
		t.Fatalf("after %+v (- model, + state):\n%s", e, d)
	}
	w.check(t, after)
}

// check checks properties that every state must have.
func (w *walk) check(t *testing.T, s State) {
	hints := w.setup.Agent.Tries == 0
	for _, seat := range Seats {
		hints = hints && (w.level(seat) != "" || w.hints(seat))
	}
	if s.HintsAllowed() != hints {
		t.Errorf("hints are allowed: %v, want %v", s.HintsAllowed(), hints)
	}
	sum := s.Wins[One] + s.Wins[Two] + s.Draws
	if s.Playing() {
		sum++
	}
	if sum != s.Game-s.Before {
		t.Errorf("%d games in this series, but %v wins and %d draws", s.Game-s.Before, s.Wins, s.Draws)
	}
	over, between := s.Phase() == Over, s.Phase() == Between
	if over != s.SeriesOver() || over && s.Playing() || between && s.Playing() {
		t.Errorf("phase %s, over %v, playing %v", s.Phase(), s.SeriesOver(), s.Playing())
	}
	for _, seat := range Seats {
		for _, a := range Acts() {
			inClass := slices.Contains([]Act{Resign, Swap, Next, Claim}, a)
			if w.setup.Class != "" && a.May(s, seat) && !inClass {
				t.Errorf("%s is allowed at the table of a class", a)
			}
		}
	}
	if all, err := s.Record().Positions(); err != nil || all[len(all)-1] != s.Position {
		t.Errorf("%v does not lead to %v: %v", s.Record(), s.Position, err)
	}
}

// replay applies the events again, and also after encoding and decoding them.
func (w *walk) replay(t *testing.T) {
	var plain, stored State
	for i, e := range w.log {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var read Event
		if err := json.Unmarshal(text, &read); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, read, cmpopts.EquateComparable(digit.Move{})); d != "" {
			t.Errorf("%s differs when read back:\n%s", text, d)
		}
		if plain, err = plain.Apply(e); err != nil {
			t.Fatal(err)
		}
		if stored, err = stored.Apply(read); err != nil {
			t.Fatal(err)
		}
		for _, again := range []State{plain, stored} {
			if d := diff(w.states[i+1], again); d != "" {
				t.Fatalf("event %d again (- first time, + again):\n%s", i+1, d)
			}
		}
	}
}

// FuzzEvents reads any text as stored events. An event that is accepted must survive being stored
// and applied again, and no text may cause a panic.
func FuzzEvents(f *testing.F) {
	f.Add(`{"kind":"opened","setup":{"rules":"highest","names":["",""]}} {"kind":"began"} {"kind":"moved","move":"9a"}`)
	f.Add(`{"kind":"opened","setup":{"rules":"sevens","names":["",""],"first":7}} {"kind":"began"}`)
	f.Add(`{"kind":"opened","setup":{"rules":"highest","names":["",""],"open":[true,false]}} {"kind":"seated","seat":0,"name":"Ben","seal":"s"} {"kind":"rekeyed","seat":0,"seal":"t"}`)
	f.Fuzz(func(t *testing.T, text string) {
		var s State
		for d := json.NewDecoder(strings.NewReader(text)); ; {
			var e, stored Event
			if err := d.Decode(&e); err != nil {
				return
			}
			e.Seq = s.Seq + 1
			next, err := s.Apply(e)
			if err != nil {
				continue
			}
			if line, err := json.Marshal(e); err != nil {
				t.Fatal(err)
			} else if err := json.Unmarshal(line, &stored); err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if again, err := s.Apply(stored); err != nil || diff(next, again) != "" {
				t.Fatalf("%+v is accepted, but not after storing it: %v\n%s", e, err, diff(next, again))
			}
			s = next
		}
	})
}
