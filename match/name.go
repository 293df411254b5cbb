package match

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"digitduel/digit"
)

// How long a name is: in characters as people count them, each of which may be many code points, and in bytes, so that no single one is
// endless. Tables of before have names of up to 32 code points.
const (
	MaxName      = 24
	maxNameBytes = 1000
	oldNameRunes = 32
	maxMarks     = 8 // on one letter; no script that is in use needs more
)

// CleanName returns the name of a player who typed a text: without what cannot be seen in it or turns the text around it, and with plain
// single spaces. What joins letters or emoji stays. No name is a name: see [Setup.Name]. The error says what is allowed.
func CleanName(text string) (string, error) {
	marks := 0
	name := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			c, marks = ' ', 0
		case c == utf8.RuneError: // it cannot be shown
			return -1
		case unicode.Is(unicode.M, c):
			if marks++; marks > maxMarks {
				return -1
			}
		case !isJoiner(c):
			marks = 0
		}
		return c
	}, digit.Printable(text))
	name = strings.TrimFunc(strings.Join(strings.Fields(name), " "), func(c rune) bool { return c == ' ' || isJoiner(c) })
	if !strings.ContainsFunc(name, isSeen) {
		return "", nil
	}
	if n := uniseg.GraphemeClusterCount(name); n > MaxName || len(name) > maxNameBytes {
		return "", fmt.Errorf("name “%s”: it is too long; allowed: up to %d characters", clipName(name), MaxName)
	}
	return name, nil
}

// CheckName returns nil if a name can be kept, else an error that says what is wrong: what [CleanName] returns can be, and names of before.
func CheckName(name string) error {
	for _, c := range name {
		if c == utf8.RuneError || digit.Printable(string(c)) != string(c) {
			return fmt.Errorf("name %q: %q cannot be part of a name", name, c)
		}
	}
	if len(name) > maxNameBytes || utf8.RuneCountInString(name) > oldNameRunes && uniseg.GraphemeClusterCount(name) > MaxName {
		return fmt.Errorf("name “%s”: it is too long; allowed: up to %d characters", clipName(name), MaxName)
	}
	return nil
}

// clipName returns the beginning of a name that is too long.
func clipName(name string) string {
	rest, state := name, -1
	for range MaxName {
		_, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
	}
	return strings.ToValidUTF8(name[:min(len(name)-len(rest), maxNameBytes)], "") + "…"
}

func isJoiner(c rune) bool { return c == '\u200c' || c == '\u200d' }

// isSeen reports whether a code point leaves ink of its own.
func isSeen(c rune) bool {
	fillers := []rune{'\u115f', '\u1160', '\u2800', '\u3164', '\uffa0'}
	return !unicode.In(c, unicode.M, unicode.Z, unicode.Cf) && !slices.Contains(fillers, c)
}
