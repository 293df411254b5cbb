package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"digitduel/digit"
)

const recordA, recordB = "dilemma 7a 3b 1c 5a 4b 2c 0-1 multiple", "highest width=4 9a *"

// TestRecordFile adds records to files in every state that an earlier program may have left.
func TestRecordFile(t *testing.T) {
	tests := []struct{ name, before, want string }{
		{"empty", "", recordA + "\n" + recordB + "\n"},
		{"with games", recordB + "\n", recordB + "\n" + recordA + "\n" + recordB + "\n"},
		{"with a torn line", recordB + "\ndilemma 7a 3", recordB + "\ndilemma 7a 3\n" + recordA + "\n" + recordB + "\n"},
		{"with a torn line only", "d", "d\n" + recordA + "\n" + recordB + "\n"},
		{"with an empty line", "\n", "\n" + recordA + "\n" + recordB + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "games")
			if tt.before != "" {
				if err := os.WriteFile(path, []byte(tt.before), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			for _, text := range []string{recordA, recordB} {
				if err := GameFile(path).Add(recordOf(t, text)); err != nil {
					t.Error(err)
				}
			}
			got, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != tt.want {
				t.Errorf("the file is %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRecordFileFails(t *testing.T) {
	folder := t.TempDir()
	rec := recordOf(t, recordA)
	if err := GameFile(folder).Add(rec); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("opening a folder: %v, want EISDIR", err)
	}
	err := GameFile(filepath.Join(folder, "none", "games")).Add(rec)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opening a file in a missing folder: %v, want ErrNotExist", err)
	}
	t.Run("full disk", func(t *testing.T) {
		if _, err := os.Stat("/dev/full"); err != nil {
			t.Skip("no /dev/full: ", err)
		}
		err := GameFile("/dev/full").Add(rec)
		if !errors.Is(err, syscall.ENOSPC) ||
			err.Error() != "the game was not recorded: write /dev/full: no space left on device" {
			t.Errorf("the error is %v", err)
		}
	})
}

// TestRecordFileShared adds records to one file from several goroutines.
func TestRecordFileShared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "games")
	const programs, games = 4, 25
	var adding sync.WaitGroup
	for range programs {
		rec := recordOf(t, recordA)
		adding.Go(func() {
			for range games {
				if err := GameFile(path).Add(rec); err != nil {
					t.Error(err)
				}
			}
		})
	}
	adding.Wait()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Repeat(recordA+"\n", programs*games); string(got) != want {
		t.Errorf("the file does not have %d complete lines:\n%s", programs*games, got)
	}
}

// TestRecords reads files with good and bad lines.
func TestRecords(t *testing.T) {
	long := "dilemma 7a *" + strings.Repeat(" ", 5000) + "x"
	in := "\ufeff" + recordA + "\n\nchess e2e4 *\r\n" + recordB + "\r\n   \n" +
		"dilemma 7a 7b *\n\x00\xff\x1b[31m\n" + recordA + " again\n" + long + "\n" + recordB + "\n" +
		recordB + "; starts=3\n" + recordB + "; first=Ada colour=\"light blue\""
	want := []string{
		"1 " + recordA,
		`f:3: book "chess": no such book; books: ` + strings.Join(digit.BookNames(), ", ") + `; fair games: ` + strings.Join(digit.FairNames(), ", "),
		"4 " + recordB,
		`f:6: move 2: 7b: 7 is taken; left: 0 1 2 3 4 5 6 8 9`,
		`f:7: record "\x00\xff\x1b[31m": a record is the rules, the moves and the result on one line, as in dilemma 7a 3b *`,
		`f:8: result "0-1 multiple again": a result is *, 1/2 equal, or 1-0 or 0-1 with one of multiple, miscalled, above, below, nearest, higher, lower, later, time, resigned, left, forfeit`,
		`f:9: result "* …": a result is *, 1/2 equal, or 1-0 or 0-1 with one of multiple, miscalled, above, below, nearest, higher, lower, later, time, resigned, left, forfeit`,
		"10 " + recordB,
		`f:11: tag "starts=3": allowed: 1, 2`,
		"12 " + recordB + `; first=Ada colour="light blue"`,
	}
	var got []string
	for e := range Records("f", strings.NewReader(in)) {
		if e.Err != nil {
			got = append(got, e.Err.Error())
		} else {
			got = append(got, fmt.Sprint(e.Line, " ", e.Record))
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// failing is a reader that fails after some text.
type failing struct{ text io.Reader }

func (f failing) Read(b []byte) (int, error) {
	n, err := f.text.Read(b)
	if errors.Is(err, io.EOF) {
		err = errors.New("the disk is broken")
	}
	return n, err
}

func TestRecordsOfABrokenDisk(t *testing.T) {
	var got []string
	for e := range Records("f", failing{strings.NewReader(recordA + "\n" + recordB[:5])}) {
		if e.Err != nil {
			got = append(got, e.Err.Error())
		} else {
			got = append(got, e.Record.String())
		}
	}
	if diff := cmp.Diff([]string{recordA, "f:2: the disk is broken"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestReplayEndings checks the end of replays, also of games that were not played to their end.
func TestReplayEndings(t *testing.T) {
	tests := []struct{ record, want string }{
		{"dilemma *", "Player 2's Number: _ _ _\n\nUnfinished: stopped after 0 digits.\n"},
		{"highest 9a *", "\nPlayer 1's Number: [9][ ][ ]\n\nDigits Available: 1 2 3 4 5 6 7 8\n\nUnfinished: stopped after 1 digit.\n"},
		{"highest 9a 8a 0-1 resigned", "\nDigits Available: 1 2 3 4 5 6 7\n\nPlayer 1 resigned. Player 2 wins.\n"},
		{"highest 9a 8a 1-0 resigned", "\nDigits Available: 1 2 3 4 5 6 7\n\nPlayer 2 resigned. Player 1 wins.\n"},
		{"highest 9a 1-0 time", "\nDigits Available: 1 2 3 4 5 6 7 8\n\nPlayer 2's time ran out. Player 1 wins.\n"},
		{"highest 9a 1-0 forfeit", "\nDigits Available: 1 2 3 4 5 6 7 8\n\nPlayer 2 used every try without a legal move. Player 1 wins.\n"},
		{"sevens 7 5 1 8 2=712 0-1 miscalled", "\nPlayer 1 called 712, but 712 = 7 × 101 + 5: five left over. Player 2 wins. Player 1's digits could have made 721 = 7 × 103.\n"},
		{"dilemma 7a 0-1 resigned; first=Ben second=Ada starts=2", "\nAda's Number: _ _ _\nBen's Number: 7 _ _\nDigit Pool after turn: 0, 1, 2, 3, 4, 5, 6, 8, 9\n\n---\n\nBen resigned. Ada wins.\n"},
		{"dilemma 7a 0-1 resigned; first=Ben second=Ben", "\n---\n\nPlayer 1 resigned. Player 2 wins.\n"},
		{"divisibility 4R 3R 8L 1-0 multiple", "- Place digit '8' on (L)eft or (R)ight of your number? L\n- Your Number: 84\n- Checking divisibility by 7... Divisible!\nCongratulations, Player 1 wins!\n"},
	}
	for _, tt := range tests {
		if got := replayed(t, tt.record); !strings.HasSuffix(got, tt.want) {
			t.Errorf("replay of %s:\n%s\nwant at the end\n%s", tt.record, got, tt.want)
		}
	}
}

// TestReplayStops stops a replay after two moves.
func TestReplayStops(t *testing.T) {
	var out strings.Builder
	asked := 0
	next := func() error {
		if asked++; asked == 2 {
			return ErrQuit
		}
		return nil
	}
	err := Replay(&out, recordOf(t, recordA), next)
	if !errors.Is(err, ErrQuit) || asked != 2 {
		t.Errorf("asked %d times, want 2: %v", asked, err)
	}
	if n := strings.Count(out.String(), "Digit Pool after turn:"); n != 2 {
		t.Errorf("%d moves are shown, want 2:\n%s", n, out.String())
	}
}

// TestReplaySeries replays several games, and checks the lines about the series.
func TestReplaySeries(t *testing.T) {
	const one = "divisibility target=7 7R 1-0 multiple; first=Ada second=Ben starts=1 game=1/3"
	const two = "divisibility target=11 0-1 resigned; first=Ben second=Ada starts=2 game=2/3"
	const draw = "divisibility 6R 5R 4R 7R 1L 3R 9L 8L 2R 1/2 equal; " +
		"first=Ben second=Ada starts=2 game=2/3"
	const third = "divisibility 0-1 left; first=Ada second=Ben starts=1 game=3/3"
	const fourth = "divisibility 0-1 time; first=Ben second=Ada starts=2 game=4/3"
	tests := []struct {
		name  string
		games []string
		want  string
	}{
		{"to the end", []string{one, two}, "Game 1, best of 3: Ada starts.|Congratulations, Ada wins!|Game 2, best of 3: Ben starts.|Ben resigned. Ada wins."},
		{"with a draw", []string{one, draw, third}, "Game 1, best of 3: Ada starts.|Congratulations, Ada wins!|Game 2, best of 3: Ben starts.|" +
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.|Game 3, best of 3: Ada starts.|Ada left. Ben wins."},
		{"to the fourth game", []string{one, draw, third, "divisibility *", fourth}, "Game 1, best of 3: Ada starts.|Congratulations, Ada wins!|Game 2, best of 3: Ben starts.|" +
			"91642 and 8573 are both 5 over a multiple of 7. It's a draw.|Game 3, best of 3: Ada starts.|Ada left. Ben wins.|" +
			"Game 4, best of 3: Ben starts.|Ben's time ran out. Ada wins."},
		{"without its first game", []string{two}, "Game 2, best of 3: Ben starts.|Ben resigned. Ada wins."},
		{"of others", []string{one, strings.ReplaceAll(two, "Ben", "Eve")}, "Game 1, best of 3: Ada starts.|Congratulations, Ada wins!|Game 2, best of 3: Eve starts.|Eve resigned. Ada wins."},
		{"none", []string{"divisibility 7R 1-0 multiple; first=Ben second=Ada second-level=novice starts=2"}, "Ada is the computer, level novice.|Ben starts.|Congratulations, Ben wins!"},
		{"of a program", []string{"divisibility 0-1 forfeit; first=Robo second=Deep second-level=perfect program=first illegal=3 starts=1"},
			"Robo is a program.|Deep is the computer, level perfect.|Robo starts.|Robo used every try without a legal move. Deep wins."},
		{"without tags", []string{"divisibility 7R 1-0 multiple"}, "Congratulations, Player 1 wins!"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out strings.Builder
			next := func() error { return nil }
			for _, game := range tt.games {
				if err := Replay(&out, recordOf(t, game), next); err != nil {
					t.Fatal(err)
				}
			}
			var got []string
			for line := range strings.Lines(out.String()) {
				for _, word := range []string{
					"Game ", "leads", "wins", "draw", "starts.", "level", "program",
				} {
					if strings.Contains(line, word) {
						got = append(got, strings.TrimSpace(line))
						break
					}
				}
			}
			if diff := cmp.Diff(strings.Split(tt.want, "|"), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestSummary checks the summaries of records with and without tags.
func TestSummary(t *testing.T) {
	for record, want := range map[string]string{
		"divisibility 7R 1-0 multiple": "7 is a multiple of 7 on its own. Player 1 wins!\n",
		"divisibility 7R 1-0 multiple; first=\"Player 2\" second=\"Player 1\" starts=2": "Player 2 starts.\n7 is a multiple of 7 on its own. Player 2 wins!\n",
		"divisibility 4R 0-1 resigned; first=Ben second=Ada starts=2 game=2/3":          "Game 2, best of 3: Ben starts.\nBen resigned. Ada wins.\n",
		"highest 9a *": "Unfinished: stopped after 1 digit.\n",
	} {
		if got := Summary(recordOf(t, record)); got != want {
			t.Errorf("Summary(%s) = %q, want %q", record, got, want)
		}
	}
}
