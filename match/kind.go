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

// A rule describes the events of one kind.
type rule struct {
	kind    Kind
	apply   func(*State, Event) error // changes the state, or returns why the event cannot follow
	inGame  bool                      // it needs a game under way
	matters bool                      // it changes the turn or the board
	asks    bool                      // a player could repeat it without playing a move
	row     bool                      // it changes a row in lists of tables
	casual  bool                      // it is not allowed at the table of a class
}

// kinds has one rule for each kind. Front ends list kinds in this order.
var kinds = []rule{
	{kind: Opened, apply: (*State).open, row: true},
	{kind: Seated, apply: (*State).sit, row: true},
	{kind: Ready, apply: (*State).ready, row: true},
	{kind: Began, apply: (*State).begin, matters: true, row: true},
	{kind: Arrived, apply: (*State).arrive, inGame: true},
	{kind: Moved, apply: (*State).move, inGame: true, matters: true},
	{kind: Faulted, apply: (*State).fault, inGame: true},
	{kind: Swapped, apply: (*State).swap, inGame: true, matters: true, row: true},
	{kind: Resigned, apply: (*State).resign, inGame: true, matters: true},
	{kind: Flagged, apply: (*State).flag, inGame: true, matters: true},
	{kind: UndoAsked, apply: (*State).askUndo, inGame: true, asks: true, casual: true},
	{kind: UndoRefused, apply: (*State).refuseUndo, inGame: true, casual: true},
	{kind: UndoWithdrawn, apply: (*State).withdrawUndo, inGame: true, casual: true},
	{kind: Undone, apply: (*State).undo, inGame: true, matters: true, casual: true},
	{kind: Left, apply: (*State).leave, asks: true},
	{kind: Back, apply: (*State).comeBack, row: true},
	{kind: Claimed, apply: (*State).claim, inGame: true, matters: true},
	{kind: Replaced, apply: (*State).replace, inGame: true, row: true, casual: true},
	{kind: RematchAsked, apply: (*State).askRematch, asks: true, casual: true},
	{kind: RematchRefused, apply: (*State).refuseRematch, casual: true},
	{kind: HintsAgreed, apply: (*State).setHints, asks: true, casual: true},
	{kind: HintsEnded, apply: (*State).setHints, casual: true},
	{kind: Published, apply: (*State).publish, asks: true, casual: true},
	{kind: Rekeyed, apply: (*State).rekey, asks: true, row: true},
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
func (k Kind) Matters() bool { return k.rule().matters }

// InGame reports whether an event of this kind needs a game under way.
func (k Kind) InGame() bool { return k.rule().inGame }

// ChangesRow reports whether an event of this kind changes a table's row in lists, apart from the
// end of a game.
func (k Kind) ChangesRow() bool { return k.rule().row }
