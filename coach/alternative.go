package coach

import (
	"cmp"
	"fmt"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// An Alternative is a better move than the one played, to be shown on the board.
type Alternative struct {
	Ply    int            // of the move played, counted from 1; 0: nothing was played
	At     digit.Position // before the move
	Played digit.Move
	Better digit.Move
	Exists bool          // there was a better move
	Title  string        // "Your second digit"; may be empty
	Text   rulebook.Said // "1 instead of 5: then 721 and 791 both win."
}

// Alternative returns the better move for a change of a reviewed game, given by its ply.
func (rv Review) Alternative(s *solve.Solution, ply int, cast rulebook.Cast) Alternative {
	j := rv.Moves[ply-1]
	held := rv.Rules.Held(j.At, j.Side).Len() + 1
	nth := rulebook.InOrder(held)
	if held == rv.Rules.Fills(j.Side) {
		nth = "last"
	}
	whose := rulebook.LongVoice(rv.Rules, cast).Whose(j.Side)
	return alternative(s, Alternative{
		Ply: ply, At: j.At, Played: j.Move, Title: fmt.Sprintf("%s %s digit", whose, nth),
	}, cast)
}

// missed returns the better move of a game that its one reader lost or drew: at the reader's last
// change, or at the end if the reader gave up a game that wasn't lost.
func (rv Review) missed(s *solve.Solution, end digit.Position,
	cast rulebook.Cast) (out Alternative) {
	winner, won := rv.Result.Winner()
	side := digit.First
	if cast.You[digit.Second] {
		side = digit.Second
	}
	if cast.You[0] == cast.You[1] || !rv.Result.Over() || won && winner == side {
		return out
	}
	turn, changes := rv.Rules.Turn(end), rv.Mistakes(side)
	ahead, forced := rv.Value.Winner(turn)
	switch gaveUp := !rv.Rules.Result(end).Over(); {
	case gaveUp && (!forced || ahead == side):
		out = Alternative{At: end, Title: "Nobody was winning"}
		if forced {
			out.Title = "You were winning"
		}
		if turn != side {
			return out
		}
		return alternative(s, out, cast)
	case len(changes) > 0:
		return rv.Alternative(s, changes[len(changes)-1].Ply, cast)
	default:
		out.Text = rulebook.Sentence("Nothing would have helped against best play").
			Titled("Nothing would have helped")
		return out
	}
}

// alternative fills in the better move and its text.
func alternative(s *solve.Solution, a Alternative, cast rulebook.Cast) Alternative {
	a.Text.Long, a.Text.Spoken = phrase(s, a.At, cast, func(v *view) string {
		c := v.better(a.Played)
		a.Better, a.Exists = c.Move, true
		name := v.begin(v.instead(a, c.Move))
		a.Text.Short = cmp.Or(a.Text.Short, name) // the text to be read comes first
		return name + v.effect(c) + "."
	})
	return a
}

// better returns the alternative to a move: of the choices that keep the outcome the fastest win,
// then one in the same place, then the lowest digit, then the leftmost place.
func (v *view) better(played digit.Move) (best solve.Choice) {
	for _, c := range v.keep() {
		order := c.Value.Compare(best.Value) // draws are alike
		inPlace := c.Move.Spot == played.Spot && best.Move.Spot != played.Spot
		if best.Next == (digit.Position{}) || order > 0 || order == 0 && inPlace {
			best = c
		}
	}
	return best
}

// instead names a better move: "1 instead of 5", "1 on the right instead".
func (v *view) instead(a Alternative, m digit.Move) string {
	back := v.Back(v.position, m.Uncalled())
	switch {
	case a.Ply == 0:
		return back
	case m.Digit == a.Played.Digit && m.Spot == a.Played.Spot && !m.Calls():
		return "no call instead"
	case m.Digit == a.Played.Digit && m.Spot == a.Played.Spot:
		return "another call instead"
	case m.Spot == a.Played.Spot:
		return fmt.Sprintf("%v instead of %v", m.Digit, a.Played.Digit)
	default:
		return back + " instead"
	}
}

// effect says what a better move does, after its name.
func (v *view) effect(c solve.Choice) string {
	if v.Rules.Result(c.Next).Over() {
		return ": " + v.ending(c)
	}
	// The opponent can't win next, since the choice keeps the outcome.
	if many := v.manyWin(c); many != "" {
		return ": " + many
	}
	if c.Value.Outcome == solve.Win {
		return " keeps the win"
	}
	return " keeps the draw"
}

// ending describes the number of a choice that ends the game.
func (v *view) ending(c solve.Choice) string {
	f := v.finish(c)
	n := f.Numbers[v.me]
	switch {
	case f.Result.Reason == digit.Multiple && n.Len() == 1:
		return v.say("a multiple of ${t} on its own")
	case f.Result.Reason == digit.Multiple:
		return v.Sum(n)
	case len(f.Ties) == 0 && f.Order.Measures():
		return v.Subject(n) + " is " + v.Distance(f.Order, n)
	default:
		return v.compared(f)
	}
}
