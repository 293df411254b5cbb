package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"strings"

	"digitduel/digit"
	"digitduel/disk"
	"digitduel/match"
	"digitduel/rulebook"
)

// A RecordFile is a file with one record on a line, to which games are added.
type RecordFile struct{ file *os.File }

// OpenRecords opens a file to add records, and creates it if it does not exist.
func OpenRecords(path string) (*RecordFile, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return nil, err
	}
	disk.SyncFolder(path)
	return &RecordFile{file}, nil
}

// Add adds a record and returns when it is on the disk. It writes the line at once, so that a crash
// cannot tear it. After a torn line it begins a new one.
func (f *RecordFile) Add(rec digit.Record) error {
	line := rec.String() + "\n"
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	regular := info.Mode().IsRegular()
	if regular && info.Size() > 0 {
		var last [1]byte
		if _, err := f.file.ReadAt(last[:], info.Size()-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			line = "\n" + line
		}
	}
	if n, err := f.file.WriteString(line); err != nil {
		if now, statErr := f.file.Stat(); regular && statErr == nil &&
			now.Size() == info.Size()+int64(n) {
			err = errors.Join(err, f.file.Truncate(info.Size()))
		}
		return fmt.Errorf("the game was not recorded: %w", err)
	}
	if !regular {
		return nil
	}
	return f.file.Sync()
}

// Close closes the file.
func (f *RecordFile) Close() error { return f.file.Close() }

// An Entry is a line of a record file: a record, or an error.
type Entry struct {
	Line   int // counted from 1
	Record digit.Record
	Err    error // names the file and the line
}

// parseRecord parses a record with valid tags.
func parseRecord(text string) (digit.Record, error) {
	rec, err := digit.ParseRecord(text)
	if err == nil {
		_, err = match.PlayedOf(rec)
	}
	return rec, err
}

// Records yields the entries of a record file. It skips empty lines.
func Records(name string, in io.Reader) iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		lines := bufio.NewReader(in)
		for n := 1; ; n++ {
			text, err := readLine(lines)
			if errors.Is(err, io.EOF) {
				return
			}
			if n == 1 {
				text = strings.TrimPrefix(text, "\ufeff") // some editors write it
			}
			last := err != nil
			e := Entry{Line: n}
			if strings.TrimSpace(text) == "" && !last {
				continue
			}
			if !last {
				e.Record, err = parseRecord(text)
			}
			if err != nil {
				e.Err = fmt.Errorf("%s:%d: %w", name, n, err)
			}
			if !yield(e) || last {
				return
			}
		}
	}
}

// A Replay shows recorded games as if they were played now, with the score of a series after each
// of its games.
type Replay struct {
	Out io.Writer
	// is called before each turn but the first; if it returns false, the rest of the game is
	// skipped
	Next func() bool

	state match.State
}

// Show shows a game.
func (r *Replay) Show(rec digit.Record) error {
	played, err := match.PlayedOf(rec)
	if err != nil {
		return err
	}
	if err := r.begin(rec, played); err != nil {
		return err
	}
	if len(rec.Tags) > 0 {
		fmt.Fprint(r.Out, begins(played)+"\n")
	}
	fmt.Fprint(r.Out, newScreen(r.state).opening())
	shown := true
	for i, m := range rec.Moves {
		shown = shown && (i == 0 || r.Next())
		before := newScreen(r.state)
		if err := r.see(
			match.Event{Kind: match.Moved, Seat: r.state.Turn(), Move: &m},
		); err != nil {
			return err
		}
		if shown {
			fmt.Fprint(r.Out, before.heading(), before.asked(m), newScreen(r.state).after(false))
		}
		if i == 0 && played.Swapped && r.state.MaySwap() {
			if err := r.swap(shown); err != nil {
				return err
			}
		}
	}
	if err := r.finish(rec.Result); err != nil {
		return err
	}
	switch {
	case !shown:
	case r.state.Result.Over():
		fmt.Fprint(r.Out, newScreen(r.state).ending())
	default:
		fmt.Fprint(r.Out, "\n"+newScreen(r.state).left())
	}
	if r.state.Result.Over() {
		fmt.Fprint(r.Out, standing(r.state))
	}
	return nil
}

// swap takes over the first move for the second player.
func (r *Replay) swap(shown bool) error {
	seat := r.state.Turn()
	if err := r.see(match.Event{Kind: match.Swapped, Seat: seat}); err != nil {
		return err
	}
	if shown {
		fmt.Fprintln(r.Out, rulebook.Narrator{State: r.state}.Offer(match.Swapped, seat).Long)
	}
	return nil
}

func (r *Replay) see(e match.Event) error {
	var err error
	e.Seq = r.state.Seq + 1
	r.state, err = r.state.Apply(e)
	return err
}

// begin begins a game: the next one of the last series, or a single one.
func (r *Replay) begin(rec digit.Record, played match.Played) error {
	last := r.state
	if last.Playing() || last.SeriesOver() || played.Game != last.Game+1 || played.Game == 1 ||
		played.Length() != last.Setup.Length() || played.Names != last.Setup.Names ||
		played.Opener() == last.Opener() {
		setup := match.Setup{Rules: rec.Rules, Names: played.Names, First: played.Opener()}
		if played.Game == 1 { // else the score is unknown
			setup.BestOf, setup.Pair = played.BestOf, played.Pair
		}
		if setup.Check() != nil { // a record may have names that a table refuses
			setup.Names, setup.BestOf, setup.Pair = [2]string{}, 0, false
		}
		r.state = match.State{}
		if err := r.see(match.Event{Kind: match.Opened, Setup: &setup}); err != nil {
			return err
		}
	}
	// in a series the target may change
	r.state.Setup.Rules, r.state.Setup.Swap = rec.Rules, played.Swapped
	return r.see(match.Event{Kind: match.Began})
}

// finish ends a game that the rules did not end.
func (r *Replay) finish(result digit.Result) error {
	winner, won := result.Winner()
	if !won || r.state.Result.Over() {
		return nil
	}
	seat := r.state.SeatOf(winner)
	how := []match.Event{{Kind: match.Resigned, Seat: seat.Other()}}
	switch result.Reason {
	case digit.TimeOut:
		how = []match.Event{{Kind: match.Flagged, Seat: seat.Other()}}
	case digit.Departure:
		how = []match.Event{
			{Kind: match.Left, Seat: seat.Other()}, {Kind: match.Claimed, Seat: seat},
			{Kind: match.Back, Seat: seat.Other()},
		}
	case digit.Forfeit:
		r.state.Setup.Agent.Tries = 1 // their number is not recorded
		how = []match.Event{{Kind: match.Faulted, Seat: seat.Other(), Fault: match.Illegal}}
	default: // resigned
	}
	for _, e := range how {
		if err := r.see(e); err != nil {
			return err
		}
	}
	return nil
}

// begins describes who played a recorded game and who started.
func begins(p match.Played) string {
	c := rulebook.Cast{Names: [2]string{p.Name(match.One), p.Name(match.Two)}}
	begins := rulebook.Begins(c, digit.Side(p.Opener()), p.Game, p.Length(), false)
	return computers(c.Names, p.Levels, p.Agents) + begins.Long + "\n"
}

// computers describes the players that are computers or programs.
func computers(names, levels [2]string, agents [2]bool) string {
	var text strings.Builder
	for i, level := range levels {
		switch {
		case agents[i]:
			fmt.Fprintf(&text, "%s is a program.\n", names[i])
		case level == match.EngineLevel:
			fmt.Fprintf(&text, "%s is an engine.\n", names[i])
		case level != "":
			fmt.Fprintf(&text, "%s is the computer, level %s.\n", names[i], level)
		}
	}
	return text.String()
}

// Sides returns the players of a recorded game, by side.
func Sides(rec digit.Record) (c rulebook.Cast) {
	played, _ := match.PlayedOf(rec) // invalid tags count as unknown
	for _, seat := range match.Seats {
		c.Names[played.Side(seat)] = played.Name(seat)
	}
	return c
}

// Summary describes who played a recorded game, who started and how it ended.
func Summary(rec digit.Record) string {
	text := ""
	if played, err := match.PlayedOf(rec); err == nil && len(rec.Tags) > 0 {
		text = begins(played)
	}
	positions, err := rec.Positions()
	if err != nil {
		return text
	}
	last := positions[len(positions)-1]
	return text + rulebook.Ending(rec.Rules, last, rec.Result, Sides(rec)).Long + "\n"
}
