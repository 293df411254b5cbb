package coach

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"digitduel/digit"
	"digitduel/rulebook"
	"digitduel/solve"
)

// nudges are the forms of what a hint tells to look for, and ideas those of what it tells next.
var nudges, ideas []form

func init() {
	nudge := func(pattern string, check func(*claim, []string) error) {
		nudges = append(nudges, form{pattern, false, check})
	}
	idea := func(pattern string, check func(*claim, []string) error) {
		ideas = append(ideas, form{pattern, false, check})
	}
	lost := func(k *claim) error { return k.count(solve.Loss, k.choices(k.p, 0)) }
	ranked := func(k *claim) bool { return k.r.Place == digit.Slots && k.r.Win == digit.Never }

	nudge(`{me} can win this turn`, func(k *claim, _ []string) error {
		return must(k.canWin(k.p, k.completing(k.p, k.me)...), "nothing does")
	})
	nudge(`{my} last digit wins: compare`, func(k *claim, _ []string) error {
		return must(k.wonBy(k.q, k.me) && k.r.Result(k.q).Reason != digit.Multiple, "it does not")
	})
	nudge(`{you} (?:is|are) one digit from winning`, func(k *claim, _ []string) error { return must(len(k.completing(k.p, k.you)) > 0, "no digit is") })
	nudge(`{me} can make (\w+) winning digits at once`, func(k *claim, g []string) error {
		return must(len(k.completing(k.q, k.me)) == slices.Index(numerals, g[1]), "not so many")
	})
	nudge(`a threat leaves {you} no choice`, func(k *claim, _ []string) error { return must(len(k.completing(k.q, k.me)) == 1, "there is none") })
	nudge(`one digit settles it\. Think from the left`, func(k *claim, _ []string) error {
		return must(ranked(k) && k.certain(k.q, k.me) && !k.certain(k.p, k.me), "it does not")
	})
	nudge(`{me} ha(?:ve|s) won already: any digit does`, func(k *claim, _ []string) error {
		return errors.Join(must(ranked(k) && k.certain(k.p, k.me), "it is not certain"), k.count(solve.Win, k.choices(k.p, 0)))
	})
	nudge(`(two|three) digits would settle it; {you} can take one`, func(k *claim, _ []string) error {
		return must(ranked(k) && k.s.Value(k.q).Outcome == solve.Loss && !k.certain(k.q, k.me), "it is settled, or not to be")
	})
	nudge(`{you} ha(?:ve|s) the last digit\. Make it useless`, func(k *claim, _ []string) error { return k.takes(k.m, solve.Win, 2) })
	nudge(`{me} wins? whatever {you} plays?`, func(k *claim, _ []string) error { return must(k.s.Value(k.q).Outcome == solve.Loss, "not always") })
	nudge(`there is a win (in \d+ turns) \(both players' turns count\)`, func(k *claim, g []string) error { return k.takes(k.m, solve.Win, k.turns(g[1])) })
	nudge(`nothing wins\. Do not lose`, func(k *claim, _ []string) error {
		return errors.Join(must(k.s.Value(k.p).Outcome == solve.Draw, "it is no draw"), must(k.choices(k.p, solve.Loss) > 0, "nothing loses"))
	})
	nudge(`nothing wins, and nothing loses`, func(k *claim, _ []string) error { return k.count(solve.Draw, k.choices(k.p, 0)) })
	nudge(`{you} can win, but may miss it`, func(k *claim, _ []string) error {
		return errors.Join(lost(k), must(k.choices(k.q, solve.Win) < k.choices(k.q, 0), "every answer wins"))
	})
	nudge(`nothing helps any more`, func(k *claim, _ []string) error {
		return errors.Join(lost(k), must(k.choices(k.q, solve.Win) == k.choices(k.q, 0), "some answer does not win"))
	})

	idea(`(\w+) digits? (makes?|turns?|lets?|is|are) (.*)`, func(k *claim, g []string) error {
		n := len(k.completing(k.p, k.me))
		have := k.r.Number(k.p, k.me)
		want := strings.Join(strings.Split(have.String(), ""), " ") + " a multiple of {t}"
		switch {
		case k.r.Held(k.p, k.me) == 0 && n == 1:
			want = "a multiple of {t} by itself"
		case k.r.Held(k.p, k.me) == 0:
			want = "multiples of {t} by themselves"
		case k.r.Place == digit.Hand:
			want = "{my} " + rulebook.Digits(have.Pool()) + " make a multiple of {t}"
		case k.r.Place == digit.Ends:
			want = `{n} into a multiple of {t}`
		}
		rest := form{pattern: want}.match(k, g[3])
		return errors.Join(must(n == slices.Index(numerals, g[1]), fmt.Sprintf("%d digits", n)), must(rest != nil && (len(rest) == 1 || k.plain(rest[1]) == have.String()), "it is "+want))
	})
	idea(`{your} {n} (?:is (\d+) (above|below) (\d+) )?= (\d+)·(\d+)\. {Me} (needs? less|can be as close with a (higher|lower) number|can be as close and still win)`, func(k *claim, g []string) error {
		o, err := k.decided()
		tie := !strings.HasPrefix(g[7], "need")
		measure := o
		if tie {
			measure = k.r.Final[0]
		}
		_, err2 := k.gap(measure, g[1:7])
		return errors.Join(err, err2, k.best(k.end, k.you, k.plain(g[1])), must(tie == (o != k.r.Final[0]), "it is no tie"), must(g[8] == "" || g[8] == o.String(), "by another order"))
	})
	idea(`{you} ha(?:ve|s) {n}\. {Me} needs? (more|less)`, func(k *claim, g []string) error {
		return errors.Join(k.best(k.q, k.you, k.plain(g[1])), must((k.r.Final[0] == digit.Higher) == (g[2] == "more"), "the other way"))
	})
	idea(`{me} places? the last digit, and that decides`, func(k *claim, _ []string) error { return must(k.r.Final[0] == digit.Later, "it does not") })
	idea(`with {d} {you} ha(?:ve|s) {sum}`, func(k *claim, g []string) error {
		n, err := k.multiple(g[2])
		return errors.Join(err, must(k.completions(k.p, k.you)[n] == g[1], "it does not make that"))
	})
	idea(`find the move after which (?:both )?(.*) would (?:each )?win`, func(k *claim, g []string) error { return firstOf(g[1], k.completing(k.q, k.me)) })
	idea(`{me} can threaten {n}`, func(k *claim, g []string) error {
		return must(k.completions(k.q, k.me)[k.plain(g[1])] != "", "it is no threat")
	})
	idea(`make {my} (smallest|biggest) possible number (bigger|smaller) than {your} (biggest|smallest)`, func(k *claim, g []string) error {
		high := k.r.Final[0] == digit.Higher
		return must(ranked(k) && (g[1] == "smallest") == high && (g[2] == "bigger") == high && (g[3] == "biggest") == high, "the other way")
	})
	idea(`({me}|{you}) ha(?:ve|s) (.*), ({me}|{you}) (.*)`, func(k *claim, g []string) error {
		return errors.Join(must(k.certain(k.p, k.me), "it is not certain"), k.bounds(k.p, k.me, g[2], false), k.bounds(k.p, k.you, g[4], true))
	})
	idea(`(.*) are those digits`, func(k *claim, g []string) error {
		words, all := things(g[1])
		return must(all == len(words) && all > 1 && !slices.Contains(words, k.m.Digit.String()), "they are not")
	})
	idea(`{your} best will be {n}`, func(k *claim, g []string) error { return k.bestOfAll(g) })
	idea(`if {you} (.*), look for two threats`, func(k *claim, g []string) error {
		q, err := k.r.Play(k.q, k.played(k.q, g[1]))
		return errors.Join(err, must(k.s.Value(q).Plies+1 == k.s.Value(k.q).Plies, "another lasts longer"))
	})
	idea(`(two|three|four) moves answer everything that {you} plays?`, func(*claim, []string) error { return nil }) // the move tells which
	idea(`a good digit is {d}`, func(k *claim, g []string) error {
		return must(k.m.Digit.String() == g[1] && k.s.Value(k.q).Outcome == solve.Loss, "it is not")
	})
	idea(`(only )?(\d+) of {my} (\d+) (?:moves|digits) (keeps?) the draw`, func(k *claim, g []string) error {
		n, all := number(g[2]), number(g[3])
		return errors.Join(k.count(solve.Draw, n), same("choices", k.choices(k.p, 0), all), must((g[1] != "") == (2*n < all) && (g[4] == "keeps") == (n == 1), "only, or the number"))
	})
	idea(`look for a move with few right answers`, func(k *claim, _ []string) error { return lost(k) })
}

var numerals = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "9", "10", "11", "12"}

var counted = regexp.MustCompile(`a (win|threat|multiple|move|good)|in \d+ turns`) // neither a digit nor a number of turns is meant

// checkHint checks what a hint tells before the move, and that it does not give the move away: the first step neither the digit nor the
// place, the second not both.
func checkHint(s *solve.Solution, p digit.Position, h Hint, cast rulebook.Cast) error {
	k, err := newClaim(s, p, h.Move, cast)
	if err != nil {
		return err
	}
	names := func(text string) (names, places bool) {
		where := ""
		if h.Move.Spot != digit.InHand && s.Rules().Held(p, k.me) != 0 {
			where = k.voice.Where(h.Move.Spot)
		}
		text = counted.ReplaceAllString(text, "")
		return regexp.MustCompile(`\b` + h.Move.Digit.String() + `\b`).MatchString(text), where != "" && strings.Contains(text, where)
	}
	if d, place := names(h.Look); d || place {
		return errors.New("the first step gives the move away")
	}
	if d, place := names(h.Idea); d && place {
		return errors.New("the second step gives the move away")
	}
	for i, forms := range [][]form{nudges, ideas} {
		for _, text := range []string{[]string{h.Look, h.Idea}[i], k.read(strings.ReplaceAll(h.Spoken[i], ", counting both players' turns,", " (both players' turns count)"))} {
			if text == "" && i == 1 {
				continue
			}
			if err := k.told(forms, strings.TrimSuffix(k.lower(text), ".")); err != nil {
				return err
			}
		}
	}
	return nil
}

// told checks a text that is one of some forms.
func (k *claim) told(forms []form, text string) error {
	for _, f := range forms {
		if g := f.match(k, text); g != nil {
			if err := f.check(k, g); err != nil {
				return fmt.Errorf("%q: %w", text, err)
			}
			return nil
		}
	}
	return fmt.Errorf("%q: no form", text)
}
