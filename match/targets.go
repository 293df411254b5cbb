package match

import (
	"fmt"
	"strconv"
	"strings"

	"digitduel/digit"
)

// Targets are the targets of the games of a series, in turn. The zero Targets are none. Their text
// is a list with commas: "11,13,17".
type Targets [8]uint16

var allowedTargets = fmt.Sprintf(
	"up to %d numbers from 2 to %d with commas between, as in 11,13,17",
	len(Targets{}), digit.MaxTarget)

// ParseTargets parses a list of targets.
func ParseTargets(text string) (Targets, error) {
	var t Targets
	words := strings.Split(text, ",")
	for i, word := range words {
		n, err := strconv.ParseUint(strings.TrimSpace(word), 10, 16)
		if err != nil || n < 2 || n > digit.MaxTarget || len(words) > len(t) {
			return Targets{}, fmt.Errorf("targets %.40q: allowed: %s", text, allowedTargets)
		}
		t[i] = uint16(n)
	}
	return t, nil
}

// List returns the nonzero targets.
func (t Targets) List() []uint16 {
	n := 0
	for n < len(t) && t[n] != 0 {
		n++
	}
	return t[:n]
}

func (t Targets) String() string {
	var words []string
	for _, target := range t.List() {
		words = append(words, strconv.Itoa(int(target)))
	}
	return strings.Join(words, ",")
}

// MarshalText implements [encoding.TextMarshaler].
func (t Targets) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler].
func (t *Targets) UnmarshalText(text []byte) (err error) {
	*t, err = ParseTargets(string(text))
	return err
}

// Rules returns the rules of a game of the series. Games are counted from 1.
func (t Targets) Rules(r digit.Rules, game int) digit.Rules {
	if list := t.List(); len(list) > 0 {
		r.Target = list[(game-1)%len(list)]
	}
	return r
}

// All returns the rules of the games, once for each target.
func (t Targets) All(r digit.Rules) (all []digit.Rules) {
	for i := range max(1, len(t.List())) {
		all = append(all, t.Rules(r, i+1))
	}
	return all
}
