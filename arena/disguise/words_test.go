package disguise

import (
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"digitduel/digit"
)

// TestRefusedInWords tries every move that can be written in words, in the positions of random
// games. The refusal of an illegal move must contain no digit, and list only allowed places.
func TestRefusedInWords(t *testing.T) {
	met := map[digit.Breach]string{}
	for seed, text := range slices.Concat(others, digit.BookNames(), []string{"divisibility pool=0-6 zero=barred width=1"}) {
		d := mustNew(t, rulesOf(t, text), uint64(seed))
		rng := rand.New(rand.NewPCG(1, uint64(seed)))
		for range 20 {
			var p digit.Position
			for over := false; !over; {
				over = d.Rules.Result(p).Over()
				for _, m := range writable(d, p, rng) {
					tryRefused(t, d, p, m, met)
				}
				if moves := slices.Collect(d.Rules.Moves(p)); len(moves) > 0 {
					p, _ = d.Rules.Play(p, moves[rng.IntN(len(moves))])
				}
			}
		}
	}
	for fault := digit.GameOver; fault <= digit.CallZero; fault++ {
		if met[fault] == "" && fault != digit.NotInPool { // which cannot be written
			t.Errorf("no move was refused because of breach %d", fault)
		}
	}
}

// writable returns the moves that can be written in words, and some calls.
func writable(d *Disguise, p digit.Position, rng *rand.Rand) (all []string) {
	g := &d.Game
	for _, token := range g.Tokens {
		if g.Form != Held {
			for _, place := range g.Places {
				all = append(all, token.Name+" "+place.Name)
			}
			continue
		}
		all = append(all, token.Name)
		for range 3 {
			var call strings.Builder
			call.WriteString(token.Name + ":")
			for range g.Places {
				call.WriteString(" " + g.Tokens[rng.IntN(len(g.Tokens))].Name)
			}
			all = append(all, call.String())
			hand := append(strings.Split(d.Row(p, d.Rules.Turn(p)), ", "), token.Name)
			if rng.Shuffle(len(hand), func(i, j int) { hand[i], hand[j] = hand[j], hand[i] }); len(hand) == len(g.Places) && hand[0] != "nothing" {
				all = append(all, token.Name+": "+strings.Join(hand, " "))
			}
		}
	}
	return all
}

var allowedPlaces = regexp.MustCompile(`(?:empty|there; allowed|at \w+; allowed|into \w+; allowed): (.*)$`)

// tryRefused checks the refusal of a move, if it is illegal, and adds its breach to met.
func tryRefused(t *testing.T, d *Disguise, p digit.Position, words string,
	met map[digit.Breach]string) {
	t.Helper()
	m, err := d.ParseMove(words)
	if err != nil {
		t.Fatalf("%v: %s: %v", d.Rules, words, err)
	}
	_, err = d.Rules.Play(p, m)
	var e *digit.MoveError
	if !errors.As(err, &e) {
		return
	}
	refusal := d.Refused(p, e)
	met[e.Breach] = refusal
	if strings.ContainsAny(refusal, "0123456789") || strings.HasSuffix(refusal, ": ") ||
		!strings.HasPrefix(refusal, d.Move(m)+": ") {
		t.Errorf("%v, %s: %s", d.Rules, d.Rules.Text(p), refusal)
	}
	if allowed := allowedPlaces.FindStringSubmatch(refusal); allowed != nil {
		token, _, _ := strings.Cut(words, " ")
		for place := range strings.SplitSeq(allowed[1], ", ") {
			m, err := d.ParseMove(token + " " + place)
			if err == nil {
				_, err = d.Rules.Play(p, m)
			}
			if err != nil {
				t.Errorf("%v, %s: %s: %v", d.Rules, d.Rules.Text(p), refusal, err)
			}
		}
	}
}

// TestWhyNot checks a refusal of each kind.
func TestWhyNot(t *testing.T) {
	for _, test := range []struct{ rules, position, move, want string }{
		{"dilemma", "7__/___", "7a", "dune is taken; left: umber, thistle, pearl, maple, lotus, yarrow, hazel, indigo, rowan"},
		{"dilemma", "7__/3__", "2a", "garden is filled; empty: bridge, meadow"},
		{"dilemma zero=barred", "___/___", "0a", "amber may not be put into tower; allowed: chapel, orchard"},
		{"highest pool=0-6 zero=barred final=lower,later win=full target=7", "_12/3_4", "0a", "cobalt may not be put into harbor, and there is no other place for it; take another token"},
		{"divisibility", "/", "4L", "it may not be put there; allowed: tower"},
		{"sevens", "7/3", "1=731", "you may call only with the token that fills your hand; allowed: rowan"},
		{"sevens", "27/38", "1=731", "a call is made of the tokens of your hand, each once: yarrow, maple, rowan"},
		{"sevens", "07/38", "1=071", "in a call fern is never put into quarry"},
		{"highest place=hand", "17/38", "2=712", "nothing is called in this game; allowed: cobalt"},
		{"dilemma", "721/35_", "4c", "the game is over"},
	} {
		d := mustNew(t, rulesOf(t, test.rules), 1)
		p, err := d.Rules.ParsePosition(test.position)
		if err != nil {
			t.Fatal(err)
		}
		m, err := digit.ParseMove(test.move)
		if err != nil {
			t.Fatal(err)
		}
		var e *digit.MoveError
		if _, err := d.Rules.Play(p, m); !errors.As(err, &e) {
			t.Fatalf("%s is legal", test.move)
		}
		if got := d.whyNot(p, e); got != test.want {
			t.Errorf("%s, %s in %s:\ngot  %s\nwant %s",
				test.rules, test.move, test.position, got, test.want)
		}
	}
}

// TestUnreadable checks the errors for texts that are not moves in the words of a disguise.
func TestUnreadable(t *testing.T) {
	for _, test := range []struct{ rules, move, want string }{
		{"dilemma", "7a", `move "7a": wrong form; allowed: token@place`},
		{"dilemma", "dune@cellar", `move "dune@cellar": there is no place cellar, only meadow, garden, bridge; allowed: token@place`},
		{"dilemma", "ivy@garden", `move "ivy@garden": there is no token ivy, only umber, thistle, pearl, maple, lotus, yarrow, dune, hazel, indigo, rowan; allowed: token@place`},
		{"divisibility", "birch@left", `move "birch@left": there is no place left, only tower, mill; allowed: token@end`},
		{"sevens", "7", `move "7": there is no token 7, only hazel, yarrow, fern, lotus, maple, opal, quartz, rowan, birch, velvet; allowed: token, or with a call token=token+token… in the order of the places`},
		{"highest", strings.Repeat("x", 1000), `move "` + strings.Repeat("x", 40) + `": wrong form; allowed: token@place`},
	} {
		if _, err := mustNew(t, rulesOf(t, test.rules), 1).ParseMove(test.move); err == nil ||
			err.Error() != test.want {
			t.Errorf("%s:\ngot  %v\nwant %s", test.rules, err, test.want)
		}
	}
}

func TestResultInWords(t *testing.T) {
	d := mustNew(t, digit.Dilemma, 1)
	for text, want := range map[string]string{
		"*": "*", "1-0 multiple": "first wins: nothing is left over", "0-1 miscalled": "second wins: of what was called something is left over",
		"0-1 above": "second wins: by what is left over", "1-0 below": "first wins: by what is left over", "1-0 nearest": "first wins: by what is left over",
		"1-0 higher": "first wins: by the ranking", "0-1 lower": "second wins: by the ranking", "0-1 later": "second wins: by the last token",
		"1/2 equal": "draw: nothing decides", "0-1 resigned": "second wins: resigned", "1-0 time": "first wins: time",
	} {
		r, err := digit.ParseResult(text)
		if got := d.Result(r); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, err, want)
		}
	}
}

// TestGoalAndWritingAreRules checks that Goal and Writing are quotations from the rules.
func TestGoalAndWritingAreRules(t *testing.T) {
	for seed, text := range slices.Concat(others, digit.BookNames()) {
		g := &mustNew(t, rulesOf(t, text), uint64(seed)).Game
		rules := strings.ReplaceAll(g.Text(true), "\n\n", " ")
		for _, part := range []string{g.Goal(), g.Writing()} {
			if part == "" || !strings.Contains(rules, part) {
				t.Errorf("%s: %q is not in %s", text, part, rules)
			}
		}
	}
}
