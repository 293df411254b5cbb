package disguise

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"digitduel/digit"
)

// Arms: the wordings of a game.
const (
	Plain = "plain" // digits
	Words = "words" // other names alone: the tokens have the order and the values of the digits
	Full  = "full"  // other orders and values, too
)

// A Spec chooses the wording of games.
type Spec struct {
	// Disguise is the seed of the words of the games for programs; nil for digits.
	Disguise *uint64 `json:"disguise,omitempty"`
	// NamesOnly says that the disguise has other names alone.
	NamesOnly bool `json:"disguise_words,omitempty"`
}

// ParseSpec parses a seed, such as "7", or "7:words" for other names alone. An empty text chooses
// digits.
func ParseSpec(text string) (s Spec, err error) {
	if text == "" {
		return s, nil
	}
	number, arm, found := strings.Cut(text, ":")
	seed, err := strconv.ParseUint(number, 10, 64)
	if err != nil || found && arm != Words {
		return s, fmt.Errorf("disguise %q: allowed: a seed, such as 7, or 7:%s for names only",
			text, Words)
	}
	return Spec{&seed, found}, nil
}

// Arm returns the wording.
func (s Spec) Arm() string {
	switch {
	case s.Disguise == nil:
		return Plain
	case s.NamesOnly:
		return Words
	}
	return Full
}

// DisguiseText returns the form that [ParseSpec] parses.
func (s Spec) DisguiseText() string {
	switch s.Arm() {
	case Plain:
		return ""
	case Words:
		return fmt.Sprintf("%d:%s", *s.Disguise, Words)
	}
	return strconv.FormatUint(*s.Disguise, 10)
}

// Disguised returns the disguise of a game. Some games have none.
func (s Spec) Disguised(r digit.Rules) (*Disguise, error) {
	return New(r, *s.Disguise, s.NamesOnly)
}

// ProvedDisguise returns the disguise of a game with its proof.
func (s Spec) ProvedDisguise(
	ctx context.Context, r digit.Rules, most int,
) (*Disguise, Certificate, error) {
	d, err := s.Disguised(r)
	if err != nil {
		return nil, Certificate{}, err
	}
	proof, err := d.Prove(ctx, most)
	return d, proof, err
}
