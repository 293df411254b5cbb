package web

import (
	"fmt"
	"net/http"
	"strconv"

	"digitduel/coach"
	"digitduel/digit"
	"digitduel/match"
	"digitduel/rulebook"
)

// gameOf returns the state of a table after the last event of the game in a request.
func gameOf(r *http.Request, t *match.Table) (last match.State, err error) {
	missing := notFound("there is no such game at this table")
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 1 {
		return last, missing
	}
	for step := range t.Past(0) {
		if step.After.Game > n {
			break
		}
		last = step.After
	}
	if last.Game != n {
		return last, missing
	}
	return last, nil
}

// A replayed game is shown move by move.
type replayed struct {
	match.State // at the end of the game, or now
	ID          string
	Series      string // the number of the game in its series, and the score after it
	Program     string // which player is a program
	Goal        goalView
	Head, Why   string   // how it ended
	Boards      [2]board // by side
	Play        play
	Ply         int
	First       string // the addresses of other plies; empty: none
	Prev        string
	Next        string
	Last        string
	Lines       []replayLine
	NoReview    string // the reason why there is no review
	Again       int    // seconds until there may be one
	Remark      string
	Reviewed    bool
	Moments     []momentCard
	Who, Fact   string // the winner, and the reason: "Ben won", "875 = 7 × 125"
	Turning     string // the turning point
	Accuracy    string
	Chart       *chart
	TableStatus *tableStatus // for a player of the table; nil: for others
	Share       *shareView
	Publish     *publishView // nil: not for the viewer to decide
	All         string       // the path of all moves
	Rematch     bool         // the viewer can ask for another game
	Class       string       // the class whose table it is, for its players; empty: none
}

// A replayLine is a move of a replayed game, with its judgement if there is one.
type replayLine struct {
	moveLine
	Path  string
	Here  bool
	Grade string
	Tag   string // the grade of the move: "✗ mistake", "✓ best"
	Text  string // the whole judgement
}

func (s *Server) pageGame(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	v viewer) error {
	state, err := gameOf(r, visit.Table)
	if err != nil {
		return err
	}
	ply, err := queryNumber(r, "ply", len(state.Moves), 0, len(state.Moves))
	if err != nil {
		return err
	}
	id := visit.Table.ID()
	view, err := replay(id, state, ply, v)
	if err != nil {
		return err
	}
	if err := s.review(r, state, v, &view); err != nil {
		return err
	}
	if err = s.addTableStatus(r, visit, v, &view); err != nil {
		return err
	}
	if view.TableStatus != nil && view.Again == 0 {
		view.Again = 10
	}
	if state.Result.Over() {
		view.Share = shareOf(id, state, viewer{})
	}
	now := visit.Table.State()
	if v.plays {
		view.Class = state.Setup.Class
	}
	view.Rematch = v.plays && now.Game == state.Game && match.Rematch.May(now, v.seat)
	name := "game"
	if view.Reviewed && !r.URL.Query().Has("ply") {
		name = "review"
	}
	voice := rulebook.LongVoice(state.Setup.Rules, viewer{}.narrator(state).Sides())
	title := fmt.Sprintf("Game %d: ", state.Game) +
		rulebook.List(voice.Who(digit.First), voice.Who(digit.Second))
	return s.show(w, r, name,
		page{Title: title, Refresh: view.Again, RefreshTo: r.URL.RequestURI(), Module: "replay.js",
			Sheet: "review.css", Bare: true, Data: view,
			Preview: linkPreviewOf(state)})
}

// replay returns a game as it was after some moves, for a viewer.
func replay(id string, s match.State, ply int, v viewer) (replayed, error) {
	positions, err := s.Record().Positions()
	if err != nil {
		return replayed{}, err
	}
	at := s
	at.Position, at.Moves = positions[ply], s.Moves[:ply]
	if ply < len(s.Moves) {
		at.Result = digit.Result{}
	}
	first := s.Starter()
	view := replayed{
		State: s, ID: id, Ply: ply,
		Goal: goalOf(rulesFor(s.Setup)), Play: playOf(s.Setup.Rules, at.Position, first),
		Series: seriesStood(s), Program: rulebook.Complete(programText(s)),
	}
	for i, seat := range []match.Seat{first, first.Other()} {
		view.Boards[i] = boardOf(at, match.Presence{}, seat, viewer{})
		if !s.Setup.IsAgent(seat) { // presence does not matter
			view.Boards[i].Presence = ""
		}
	}
	if s.Result.Over() {
		view.Head, view.Why = headOf(v.narrator(s).Ending())
	}
	path := func(k int) string { return fmt.Sprintf("%s?ply=%d", gamePath(id, s.Game), k) }
	if ply > 0 {
		view.First, view.Prev = path(0), path(ply-1)
	}
	if ply < len(s.Moves) {
		view.Next, view.Last = path(ply+1), path(len(s.Moves))
	}
	for i, line := range movesOf(s, v) {
		view.Lines = append(view.Lines,
			replayLine{moveLine: line, Path: path(i + 1), Here: i+1 == ply})
	}
	return view, nil
}

// seriesStood describes a game of a series and the score after it. It is empty for a single game.
func seriesStood(s match.State) string {
	if s.Setup.Length() <= 1 {
		return ""
	}
	if end := (viewer{}).narrator(s).SeriesEnd().Long; end != "" {
		return seriesText(s, viewer{}) + ". " + end
	}
	return rulebook.Complete(seriesText(s, viewer{}))
}

// review adds the review of a finished game. A game in progress has none, because it would be a
// hint.
func (s *Server) review(
	r *http.Request, state match.State, v viewer, view *replayed,
) error {
	if !state.Result.Over() {
		view.NoReview = "The game is under way; there is a review when it is over."
		return nil
	}
	cast := v.narrator(state).Sides()
	rv, err := s.reviewOf(r, state, cast)
	view.NoReview, view.Again = unsolved(err, "This game is too large to be solved here, "+
		"and a review takes a solved game.")
	switch {
	case view.NoReview != "":
		return nil
	case err != nil:
		return err
	}
	for i, judged := range rv.Moves {
		at := &view.Lines[i]
		at.Grade, at.Text = judged.Grade.String(), judged.Text
		if i >= unjudgedMoves(state) && (judged.Found() || !judged.Kept()) {
			at.Tag = tags[judged.Grade]
		}
		if i == 0 && state.Setup.Swap {
			at.Text = rulebook.SwapMove
		}
	}
	f := rulebook.Finished(rv.Rules, state.Position, state.Result)
	voice := rulebook.LongVoice(rv.Rules, cast)
	view.Who, view.Fact = "Draw", voice.Fact(f)
	if f.Won {
		view.Who = voice.Who(f.Winner) + " won"
	}
	view.Reviewed, view.Moments = true, cardsOf(view.ID, state, v, rv)
	view.All = fmt.Sprintf("%s?ply=%d", gamePath(view.ID, state.Game), len(view.Lines))
	view.Remark, view.Turning = rv.Remark, rv.TurningPoint.Text.Then(rv.TurningPoint.Instead).Long
	if view.Turning == view.Remark {
		view.Remark = ""
	}
	view.Accuracy = rv.First.Text(cast, digit.First) + " " + rv.Second.Text(cast, digit.Second)
	view.Chart = chartOf(rv, cast)
	return nil
}

// tags holds the labels of the grades that are worth a look.
var tags = map[coach.Grade]string{coach.Best: "✓ best", coach.Mistake: "✗ mistake",
	coach.Blunder: "✗✗ blunder"}

// gameRecord answers with the record of a game as a file.
func (s *Server) gameRecord(w http.ResponseWriter, r *http.Request, visit *match.Visit,
	_ viewer) error {
	state, err := gameOf(r, visit.Table)
	if err != nil {
		return err
	}
	name := fmt.Sprintf("%s-%s-%d.txt", state.Setup.Rules.Named().Name, visit.Table.ID(),
		state.Game)
	w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
	w.Header().Set("Cache-Control", "no-store")
	writeText(w, http.StatusOK, state.Record().String()+"\n")
	return nil
}
