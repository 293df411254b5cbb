package coach

import "testing"

// FuzzDay parses any text as a day: the text of a day is the parsed one.
func FuzzDay(f *testing.F) {
	for _, seed := range []string{
		"2026-11-15", "0000-01-01", "9999-12-31", "2026-02-29", "2024-02-29", "2026-1-1", "",
		"-001-01-01", "1970-01-01 ",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		day, err := ParseDay(text)
		if err != nil {
			if day != 0 {
				t.Fatalf("%q gives %v and the error %v", text, day, err)
			}
			return
		}
		if day.String() != text {
			t.Fatalf("%q is parsed as %v", text, day)
		}
		if book := DailyBook(day); book.Name == "" || DailyBook(day+1).Name == book.Name {
			t.Fatalf("%v has the book %q, which is missing or that of the next day", day, book.Name)
		}
	})
}
