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

// Limits of a name. Characters are counted as people see them; each may have many code points, so
// the bytes are limited too. Names of older tables have up to 32 code points.
const (
	MaxName      = 24
	maxNameBytes = 1000
	oldNameRunes = 32
	maxMarks     = 8 // on one letter; no script in use needs more
)

// CleanName returns the name that a player typed without characters that are invisible or change
// the text direction, and with single spaces. Joiners of letters or emoji stay. An empty name is
// allowed: see [Setup.Name].
func CleanName(text string) (string, error) {
	marks := 0
	name := strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			c, marks = ' ', 0
		case c == utf8.RuneError: // not printable
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
	name = strings.Join(strings.Fields(name), " ")
	name = strings.TrimFunc(name, func(c rune) bool { return c == ' ' || isJoiner(c) })
	if !strings.ContainsFunc(name, isSeen) {
		return "", nil
	}
	if uniseg.GraphemeClusterCount(name) > MaxName || len(name) > maxNameBytes {
		return "", errLongName(name)
	}
	return name, nil
}

// CheckName returns an error if a name is not allowed: neither a result of [CleanName] nor a name
// of an older table.
func CheckName(name string) error {
	for _, c := range name {
		if c == utf8.RuneError || digit.Printable(string(c)) != string(c) {
			return fmt.Errorf("name %q: %q cannot be part of a name", name, c)
		}
	}
	if len(name) > maxNameBytes ||
		utf8.RuneCountInString(name) > oldNameRunes && uniseg.GraphemeClusterCount(name) > MaxName {
		return errLongName(name)
	}
	return nil
}

func errLongName(name string) error {
	return fmt.Errorf("name “%s”: it is too long; allowed: up to %d characters",
		clipName(name), MaxName)
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

// isSeen reports whether a code point is visible by itself.
func isSeen(c rune) bool {
	fillers := []rune{'\u115f', '\u1160', '\u2800', '\u3164', '\uffa0'}
	return !unicode.In(c, unicode.M, unicode.Z, unicode.Cf) && !slices.Contains(fillers, c)
}
