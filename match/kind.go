package match

// A Kind identifies the type of an [Event].
type Kind string

const (
	Opened         Kind = "opened"          // the table was set up
	Seated         Kind = "seated"          // a person took an open seat
	Ready          Kind = "ready"           // a player wants the next game of the series to begin
	Began          Kind = "began"           // the next game of the series began
	Arrived        Kind = "arrived"         // the player to move came, and the clock starts
	Moved          Kind = "moved"           // a move was played
	Faulted        Kind = "faulted"         // a program answered without a legal move
	Resigned       Kind = "resigned"        // a player gave up the game
	Flagged        Kind = "flagged"         // a player ran out of time, which lost the game
	UndoAsked      Kind = "undo-asked"      // a player asks to take back their last move
	UndoRefused    Kind = "undo-refused"    // the opponent declined
	UndoWithdrawn  Kind = "undo-withdrawn"  // the player no longer asks
	Undone         Kind = "undone"          // a player's last move and all later ones are void
	Left           Kind = "left"            // a player has been away for a while
	Back           Kind = "back"            // a player who had left is back and plays again
	Claimed        Kind = "claimed"         // a player took the win because the opponent had left
	Replaced       Kind = "replaced"        // the computer plays for a player who had left
	RematchAsked   Kind = "rematch-asked"   // a player wants another series
	RematchRefused Kind = "rematch-refused" // the opponent declined
	HintsAgreed    Kind = "hints-agreed"    // a player agrees to hints
	HintsEnded     Kind = "hints-ended"     // a player no longer agrees to hints
	Published      Kind = "published"       // a player agrees to make the games so far public
	Swapped        Kind = "swapped"         // the second player took over the first move
	Rekeyed        Kind = "rekeyed"         // the token of a seat was changed
)

// A trait is a property of a kind of event.
type trait uint8

const (
	inGame  trait = 1 << iota // it needs a game under way
	matters                   // it changes the turn or the board
	asks                      // a player could repeat it without playing a move
	row                       // it changes a row in lists of tables
	casual                    // it is not allowed at the table of a class
)

// A rule describes the events of one kind.
type rule struct {
	kind   Kind
	apply  func(*State, Event) error // changes the state, or returns why the event cannot follow
	traits trait
}

func (r rule) is(t trait) bool { return r.traits&t != 0 }

// kinds has one rule for each kind. Front ends list kinds in this order.
var kinds = []rule{
	{Opened, (*State).open, row},
	{Seated, (*State).sit, row},
	{Ready, (*State).ready, row},
	{Began, (*State).begin, matters | row},
	{Arrived, (*State).arrive, inGame},
	{Moved, (*State).move, inGame | matters},
	{Faulted, (*State).fault, inGame},
	{Swapped, (*State).swap, inGame | matters | row},
	{Resigned, (*State).resign, inGame | matters},
	{Flagged, (*State).flag, inGame | matters},
	{UndoAsked, (*State).askUndo, inGame | asks | casual},
	{UndoRefused, (*State).refuseUndo, inGame | casual},
	{UndoWithdrawn, (*State).withdrawUndo, inGame | casual},
	{Undone, (*State).undo, inGame | matters | casual},
	{Left, (*State).leave, asks},
	{Back, (*State).comeBack, row},
	{Claimed, (*State).claim, inGame | matters},
	{Replaced, (*State).replace, inGame | row | casual},
	{RematchAsked, (*State).askRematch, asks | casual},
	{RematchRefused, (*State).refuseRematch, casual},
	{HintsAgreed, (*State).setHints, asks | casual},
	{HintsEnded, (*State).setHints, casual},
	{Published, (*State).publish, asks | casual},
	{Rekeyed, (*State).rekey, asks | row},
}

// rule returns the rule of a kind; its apply is nil if there is no such kind.
func (k Kind) rule() rule {
	for _, r := range kinds {
		if r.kind == k {
			return r
		}
	}
	return rule{}
}

// Kinds returns all kinds of events.
func Kinds() []Kind {
	all := make([]Kind, len(kinds))
	for i, r := range kinds {
		all[i] = r.kind
	}
	return all
}

// Matters reports whether a move chosen before an event of this kind may not fit after it.
func (k Kind) Matters() bool { return k.rule().is(matters) }

// InGame reports whether an event of this kind needs a game under way.
func (k Kind) InGame() bool { return k.rule().is(inGame) }

// ChangesRow reports whether an event of this kind changes a table's row in lists, apart from the
// end of a game.
func (k Kind) ChangesRow() bool { return k.rule().is(row) }
