package digit

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Rules are the rules of one game. Each field answers one question by itself. Rules are equal (==)
// if they are the same rules. The zero Rules are not playable: see [Rules.Check].
type Rules struct {
	Pool   Pool   // the digits to take
	Place  Place  // where a digit goes
	Width  uint8  // the number of digits that fill a number; 0 for as many as the pool gives
	Target uint16 // multiples of it win; 0 for none
	Win    Win    // when a number is tested for a multiple
	Zero   Zero   // how a number that begins with 0 counts
	Final  Final  // what decides if all digits are placed without a winner
}

// MaxWidth is the maximum number of digits in a number.
const MaxWidth = 8

// A Place identifies where a digit goes.
type Place uint8

const (
	Slots Place = iota // into one of the fixed places of a number, each filled once
	Ends               // to the left or the right end of a growing number
	Hand               // into a hand, whose digits make any of their arrangements
)

var placeNames = []string{"slots", "ends", "hand"}

func (p Place) String() string { return NameOf(placeNames, p) }

// A Win identifies when a number is tested for a multiple of the target.
type Win uint8

const (
	Never    Win = iota // not at all
	WhenFull            // when its last digit is placed
	EachTurn            // after every digit
	OnCall              // when a player with a full hand calls it; a wrong call loses
)

var winNames = []string{"never", "full", "each", "call"}

func (w Win) String() string { return NameOf(winNames, w) }

// A Zero identifies how a number that begins with 0 counts.
type Zero uint8

const (
	Counts Zero = iota // as its value: 042 is 42
	Inert              // it never wins as a multiple, and a hand never makes one
	Barred             // it cannot be built
)

var zeroNames = []string{"counts", "inert", "barred"}

func (z Zero) String() string { return NameOf(zeroNames, z) }

// An Order decides between two numbers at the end of a game.
type Order uint8

const (
	noOrder Order = iota
	Above         // the smaller distance to the next multiple of the target strictly above wins
	Below         // the smaller remainder by the target wins
	Nearest       // the smaller distance to a multiple of the target on either side wins
	Higher        // the higher number wins
	Lower         // the lower number wins
	Later         // the side that placed the last digit wins
)

var orderNames = []string{"draw", "above", "below", "nearest", "higher", "lower", "later"}

func (o Order) String() string { return NameOf(orderNames, o) }

// Measures reports whether o compares distances to a multiple of the target.
func (o Order) Measures() bool { return Above <= o && o <= Nearest }

// Ranks reports whether o compares the numbers themselves.
func (o Order) Ranks() bool { return o == Higher || o == Lower }

// Final lists the orders that decide, the first one first. If none does, the game is a draw.
type Final [6]Order

// FinalBy returns a Final of the given orders, at most six.
func FinalBy(orders ...Order) Final {
	var f Final
	copy(f[:], orders)
	return f
}

// orders returns the orders in force.
func (f *Final) orders() []Order {
	for i, o := range f {
		if o == noOrder {
			return f[:i]
		}
	}
	return f[:]
}

func (f Final) String() string {
	if f[0] == noOrder {
		return orderNames[noOrder]
	}
	var names []string
	for _, o := range f.orders() {
		names = append(names, o.String())
	}
	return strings.Join(names, ",")
}

// Has reports whether o is one of the orders.
func (f Final) Has(o Order) bool { return slices.Contains(f.orders(), o) }

// Base returns the base of the numbers: one more than the highest digit of the pool, but at least
// ten.
func (r Rules) Base() int { return int(r.base()) }

func (r *Rules) base() uint32 { return uint32(max(10, bits.Len16(uint16(r.Pool)))) }

// Fills returns the number of digits that fill the number of side s.
func (r Rules) Fills(s Side) int { return r.fills(s) }

func (r *Rules) fills(s Side) int {
	if r.Place != Ends {
		return int(r.Width)
	}
	all := r.Pool.Len()
	given := (all + 1) / 2
	if s == Second {
		given = all / 2
	}
	if r.Width == 0 {
		return given
	}
	return min(int(r.Width), given)
}

// Check returns nil if the rules are playable, else a [*RulesError].
func (r Rules) Check() error {
	e := r.clash()
	if e == nil {
		return nil
	}
	if advice := r.advice(e.Key); advice != "" {
		e.Why += "; " + advice
	}
	return e
}

// clash returns the first fault in the rules, without the allowed values, or nil.
func (r *Rules) clash() *RulesError {
	bad := func(key, format string, args ...any) *RulesError {
		return &RulesError{key, fmt.Sprintf(format, args...)}
	}
	size, width, orders := r.Pool.Len(), int(r.Width), r.Final.orders()
	zero := r.Zero
	if !r.Pool.Has(0) {
		zero = Counts
	}
	switch {
	case size < 2:
		return bad("pool", "too small for two players")
	case int(r.Place) >= len(placeNames):
		return bad("place", "%v is unknown", r.Place)
	case int(r.Win) >= len(winNames):
		return bad("win", "%v is unknown", r.Win)
	case int(r.Zero) >= len(zeroNames):
		return bad("zero", "%v is unknown", r.Zero)
	case width > MaxWidth:
		return bad("width", "%d digits are too many", width)
	case width == 0 && r.Place != Ends:
		return bad("width", "0 (as many as the pool gives) is for place=ends")
	case r.Place != Ends && 2*width > size:
		return bad("width", "two numbers of %d digits take %d, and the pool has %d",
			width, 2*width, size)
	case r.Place == Ends && width > (size+1)/2:
		return bad("width", "a pool of %d gives no player %d digits", size, width)
	case r.Target == 1 || r.Target > MaxTarget:
		return bad("target", "%d is out of range", r.Target)
	case r.Target == 0 && r.Win != Never:
		return bad("win", "%v tests for multiples, which needs a target", r.Win)
	case r.Win == OnCall && r.Place != Hand:
		return bad("win", "call is for place=hand, where the number is not fixed")
	case r.Win == EachTurn && r.Place == Slots:
		return bad("win",
			"each is not for place=slots, where a number with empty places has no value")
	}
	for i, o := range r.Final {
		before := r.Final[:i]
		switch {
		case int(o) >= len(orderNames):
			return bad("final", "%v is unknown", o)
		case o == noOrder:
			continue
		case slices.Contains(before, noOrder):
			return bad("final", "%v follows an empty entry", o)
		case slices.Contains(before, o):
			return bad("final", "%v appears twice", o)
		case slices.Contains(before, Later):
			return bad("final", "%v after later never decides, because later always does", o)
		case o == Higher && slices.Contains(before, Lower),
			o == Lower && slices.Contains(before, Higher):
			return bad("final", "higher and lower exclude each other")
		case r.Target == 0 && o.Measures():
			return bad("final", "%v measures the distance to a multiple, which needs a target", o)
		}
	}
	switch {
	case r.Win == Never && len(orders) == 0:
		return bad("final", "draw with win=never gives no player a way to win")
	case r.Target != 0 && r.Win == Never && !slices.ContainsFunc(orders, Order.Measures):
		return bad("target", "%d decides nothing with win=never and final=%v", r.Target, r.Final)
	case zero == Barred && r.Place == Slots && 2*width == size:
		return bad("zero", "barred could leave a player only 0 for the leftmost place, "+
			"because all %d digits are placed", size)
	case zero == Barred && r.Place == Ends && size == 2:
		return bad("zero", "barred leaves one player only 0")
	case zero != Counts && r.Place == Hand && width == 1:
		return bad("zero", "%v gives a hand of 0 no number at all", r.Zero)
	}
	return nil
}

// advice lists the other values allowed for a key or, if there are none, for another key. Rules
// changed accordingly pass Check.
func (r *Rules) advice(key string) string {
	if key == "pool" {
		return "allowed: 2 to 16 digits"
	}
	if values := r.accepted(key); values != "" {
		return "allowed: " + values
	}
	for _, other := range []string{"win", "target", "width", "zero", "final", "place"} {
		if values := r.accepted(other); values != "" {
			return "use " + other + " " + values + " instead"
		}
	}
	return ""
}

// accepted lists the values of a key with which the rules are playable.
func (r *Rules) accepted(key string) string {
	fits := func(value string) bool {
		changed, err := r.With(key, value)
		return err == nil && changed.clash() == nil
	}
	var values []string
	switch key {
	case "target":
		if fits("7") { // like any other target
			values = append(values, "2 to "+strconv.Itoa(MaxTarget))
		}
		if fits("0") {
			values = append(values, "0 for none")
		}
		return strings.Join(values, ", or ")
	case "width":
		low, high := 0, 0
		for width := 1; width <= MaxWidth; width++ {
			if fits(strconv.Itoa(width)) {
				low, high = cmp.Or(low, width), width
			}
		}
		if high > 0 {
			values = append(values, strconv.Itoa(low))
		}
		if high > low {
			values[0] += " to " + strconv.Itoa(high)
		}
		if fits("0") {
			values = append(values, "0 for as many as the pool gives")
		}
		return strings.Join(values, ", or ")
	}
	for _, value := range Values(key) {
		if fits(value) {
			values = append(values, value)
		}
	}
	return strings.Join(values, ", ")
}

// MaxTarget is the highest target.
const MaxTarget = 9999
