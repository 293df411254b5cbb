package match

import (
	"strings"
	"testing"
)

// TestCleanName checks that names of many languages are accepted, and that invisible characters are
// removed.
func TestCleanName(t *testing.T) {
	const family = "👩🏽\u200d👩🏻\u200d👧🏿\u200d👦🏾"
	for _, tt := range []struct{ typed, want string }{
		{"Ada", "Ada"},
		{"  Ada \t Lovelace\u00a0", "Ada Lovelace"},
		{"José", "José"},
		{"Jose\u0301", "Jose\u0301"},
		{"O'Brien-Nuñez, Jr.", "O'Brien-Nuñez, Jr."},
		{"עדה", "עדה"},
		{"مهدی\u200cزاده", "مهدی\u200cزاده"}, // with a joiner that keeps letters apart
		{"क्ष\u200dत्रिय", "क्ष\u200dत्रिय"},
		{"山田太郎", "山田太郎"},
		{family, family},
		{strings.Repeat(family, 24), strings.Repeat(family, 24)},
		{"❤\ufe0f", "❤\ufe0f"},
		{"🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"},
		{"\U0001fadf", "\U0001fadf"}, // an emoji that may be newer than this program
		{strings.Repeat("é", 24), strings.Repeat("é", 24)},
		{"\u202eneB\u202c", "neB"},
		{"\u2067Ada\u2069\u200f\u061c", "Ada"},
		{"\x1b[31mAda\x00\x07", "[31mAda"},
		{"Ada\r\nBen", "Ada Ben"},
		{"A\u00add\ufeffa\u2060", "Ada"},
		{"\xffAda\xc3", "Ada"},
		{"Ada\u200d\u200c", "Ada"},
		{"a" + strings.Repeat("\u0300", 100), "a" + strings.Repeat("\u0300", 8)},
		{"", ""},
		{" \u200d \u3164\u2800\u202e", ""}, // all characters are invisible
	} {
		if got, err := CleanName(tt.typed); err != nil || got != tt.want || CheckName(got) != nil {
			t.Errorf("CleanName(%q) = %q, %v, want %q; CheckName: %v", tt.typed, got, err, tt.want, CheckName(got))
		}
	}
	for _, tt := range []struct{ typed, want string }{
		{strings.Repeat("x", 25), "name “" + strings.Repeat("x", 24) + "…”: it is too long; allowed: up to 24 characters"},
		{strings.Repeat(family, 25), "name “" + strings.Repeat(family, 24) + "…”: it is too long; allowed: up to 24 characters"},
		{strings.Repeat("a\u200db", 500), "it is too long; allowed: up to 24 characters"},
	} {
		if _, err := CleanName(tt.typed); err == nil || !strings.HasSuffix(err.Error(), tt.want) || len(err.Error()) > 1200 {
			t.Errorf("%q: %v, want %s", tt.typed, err, tt.want)
		}
	}
	if err := CheckName(strings.Repeat("x", 32)); err != nil {
		t.Errorf("a name from before the limit of 24: %v", err)
	}
}
