package tui

import "testing"

// TestListKeys checks that all lists and pages of text use the same keys.
func TestListKeys(t *testing.T) {
	for _, test := range []struct{ keys, same string }{
		{"down", "j"}, {"down up", "down k"},
		{"o f a r enter down", "o f a r enter j"}, {"o f a r enter up", "o f a r enter left"},
		{"? end pgup", "? end b"}, {"r end pgup", "r end b"},
	} {
		t.Run(test.same, func(t *testing.T) {
			var texts [2]string
			for i, keys := range []string{test.keys, test.same} {
				onScreen(t, &memory{settings: standardSettings().Text()}, Start{}, func(s *screen) {
					s.size(54, 18)
					s.follow(keys + " 2s")
					texts[i] = s.text()
				})
			}
			if texts[0] != texts[1] {
				t.Errorf("%s shows\n%s\n%s shows\n%s", test.keys, texts[0], test.same, texts[1])
			}
		})
	}
}
