package match

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"digitduel/digit"
)

// GameInfo is the information about a game in the tags of its record. Any of it may be missing.
type GameInfo struct {
	Names, Levels [2]string // by seat; Levels are those of the computer
	Agents        [2]bool   // by seat: whether a program played there
	Illegal       int       // the program's illegal moves
	Unreadable    int       // the program's answers that were not moves
	Starts        Seat      // the seat that had the first move
	Game          int       // the number of the game in its series; 0: no series
	Terms
	Swapped bool      // the second player took over the first move
	Given   int       // the number of moves in the opening
	At      time.Time // when the game began; zero: unknown
}

// Name returns the name of the player on a seat.
func (p GameInfo) Name(seat Seat) string { return cmp.Or(p.Names[seat], seat.String()) }

// Side returns the side that a seat had.
func (p GameInfo) Side(seat Seat) digit.Side { return digit.Side(seat ^ p.Starts) }

// Opener returns the seat that made the first move, before any swap.
func (p GameInfo) Opener() Seat {
	if p.Swapped {
		return p.Starts.Other()
	}
	return p.Starts
}

// Setup returns the setup for a game like this one, with the same player first.
func (p GameInfo) Setup(r digit.Rules) Setup {
	return Setup{
		Rules: r, Names: p.Names, Levels: p.Levels, First: p.Opener(), Terms: p.Terms,
	}
}

// Record returns the record of this game so far.
func (s State) Record() digit.Record {
	rec := digit.Record{
		Rules: s.Setup.Rules, Moves: s.Moves, Result: s.Result, Tags: s.gameInfo().tags(),
	}
	var clocked []string
	for i := range s.Moves {
		if s.Clocked>>i&1 != 0 {
			clocked = append(clocked, strconv.Itoa(i+1))
		}
	}
	if clocked != nil {
		plies := strings.Join(clocked, ",")
		rec.Tags = append(rec.Tags, digit.Tag{Key: digit.ClockTag, Value: plies})
	}
	return rec
}

// gameInfo returns the information for the tags of this game.
func (s State) gameInfo() GameInfo {
	p := GameInfo{
		Names: s.Setup.Names, Levels: s.Levels, Agents: s.Setup.Agents(), Starts: s.Starter(),
		Terms: s.Setup.Terms, Swapped: s.Swapped, Given: int(s.Given), At: s.Began,
	}
	p.Hints = s.HintsAllowed() && !s.SelfPlay()
	if p.BestOf > 0 || p.Pair {
		p.Game = s.Game - s.Before
	}
	p.Illegal, p.Unreadable = int(s.Faults[Illegal]), int(s.Faults[Unreadable])
	return p
}

// The keys of tags in the order of a record; those of [Options] follow tagGame. The first four are
// by side, so that a record is complete without the table.
const (
	tagFirst       = "first"
	tagSecond      = "second"
	tagFirstLevel  = "first-level"
	tagSecondLevel = "second-level"
	tagProgram     = digit.ProgramTag
	tagIllegal     = digit.IllegalTag
	tagUnreadable  = digit.UnreadableTag
	tagStarts      = "starts"
	tagGame        = "game"
	tagTurnTime    = "turn-time"
	tagPair        = "pair"
	tagSwap        = digit.SwapTag
	tagOpening     = digit.OpeningTag
	tagAt          = "at"
)

// numbered are the options with their own tag, which also has the number or the outcome.
var numbered = map[string]bool{"best-of": true, tagPair: true, tagSwap: true}

var sideNames = []string{digit.First.String(), digit.Second.String()}

func (p GameInfo) tags() []digit.Tag {
	var tags []digit.Tag
	add := func(key, value string, known bool) {
		if known {
			tags = append(tags, digit.Tag{Key: key, Value: value})
		}
	}
	first, second := p.Starts, p.Starts.Other()
	add(tagFirst, p.Name(first), true)
	add(tagSecond, p.Name(second), true)
	add(tagFirstLevel, p.Levels[first], p.Levels[first] != "")
	add(tagSecondLevel, p.Levels[second], p.Levels[second] != "")
	for _, seat := range Seats {
		add(tagProgram, p.Side(seat).String(), p.Agents[seat])
	}
	add(tagIllegal, strconv.Itoa(p.Illegal), p.Illegal > 0)
	add(tagUnreadable, strconv.Itoa(p.Unreadable), p.Unreadable > 0)
	add(tagStarts, strconv.Itoa(int(p.Starts)+1), true)
	add(tagGame, fmt.Sprintf("%d/%d", p.Game, p.BestOf), p.BestOf > 0)
	for _, o := range Options {
		value := o.Get(p.Terms)
		add(o.Name, value, value != "" && !numbered[o.Name])
	}
	add(tagPair, strconv.Itoa(p.Game), p.Pair)
	add(tagSwap, map[bool]string{true: "taken", false: "left"}[p.Swapped], p.Swap)
	add(tagOpening, strconv.Itoa(p.Given), p.Given > 0)
	add(tagAt, p.At.UTC().Format(time.RFC3339), !p.At.IsZero())
	return tags
}

// GameInfoOf returns the information in the tags of a record and ignores unknown keys. The error is
// a [*digit.ParseError] for a tag with an invalid value.
func GameInfoOf(rec digit.Record) (GameInfo, error) {
	var p GameInfo
	var names, levels [2]string // by side
	var agents [2]bool
	starts := 1
	for _, tag := range rec.Tags {
		wrong := "" // the allowed values, if the tag has another one
		number := func(text string, n *int, most int, allowed string) {
			var err error
			if *n, err = strconv.Atoi(text); err != nil || *n < 1 || *n > most {
				wrong = allowed
			}
		}
		switch tag.Key {
		case tagFirst:
			names[digit.First] = tag.Value
		case tagSecond:
			names[digit.Second] = tag.Value
		case tagFirstLevel:
			levels[digit.First] = tag.Value
		case tagSecondLevel:
			levels[digit.Second] = tag.Value
		case tagProgram:
			if side := slices.Index(sideNames, tag.Value); side >= 0 {
				agents[side] = true
			} else {
				wrong = strings.Join(sideNames, ", ")
			}
		case tagIllegal:
			number(tag.Value, &p.Illegal, math.MaxInt, "the number of illegal moves, as in 2")
		case tagUnreadable:
			number(tag.Value, &p.Unreadable, math.MaxInt,
				"the number of unreadable answers, as in 2")
		case tagStarts:
			number(tag.Value, &starts, len(Seats), "1, 2")
		case tagGame:
			const allowed = "the number of the game and the length of its series, as in 2/3"
			game, of, _ := strings.Cut(tag.Value, "/")
			number(of, &p.BestOf, math.MaxInt, allowed)
			number(game, &p.Game, 2*p.BestOf, allowed)
		case tagPair:
			number(tag.Value, &p.Game, 2, "1, 2")
			p.Pair = true
		case tagSwap:
			if p.Swap, p.Swapped = true, tag.Value == "taken"; !p.Swapped && tag.Value != "left" {
				wrong = "taken, left"
			}
		case tagOpening:
			number(tag.Value, &p.Given, len(rec.Moves),
				"the number of moves in the opening, as in 2")
		case tagAt:
			var err error
			if p.At, err = time.Parse(time.RFC3339, tag.Value); err != nil {
				wrong = "a time, as in 2026-11-15T09:12:00Z"
			}
		default:
			o := FindOption(tag.Key)
			if o.Name == "" || numbered[tag.Key] {
				continue
			}
			if tag.Value == "" || o.Set(&p.Terms, tag.Value) != nil ||
				tag.Key == tagTurnTime && p.TurnTime <= 0 {
				wrong = o.Allowed
			}
		}
		if wrong != "" {
			return GameInfo{}, &digit.ParseError{
				What: "tag", Text: tag.Key + "=" + tag.Value, Why: "allowed: " + wrong,
			}
		}
	}
	p.Starts = Seat(starts - 1)
	for side := range names {
		seat := Seat(side) ^ p.Starts
		if names[side] != seat.String() {
			p.Names[seat] = names[side]
		}
		p.Levels[seat], p.Agents[seat] = levels[side], agents[side]
	}
	return p, nil
}
