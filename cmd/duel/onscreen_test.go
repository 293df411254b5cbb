package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestOnScreen opens games, puzzles and reviews full-screen, and line by line with --line or
// --plain.
func TestOnScreen(t *testing.T) {
	t.Parallel()
	games := filepath.Join(t.TempDir(), "games.txt")
	text := "dilemma 7a 2b 3c 6c 1b 8a 0-1 multiple\nno game\nhighest 9a 8a 2c 7b 5b 6c 1-0 higher\n"
	if err := os.WriteFile(games, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	kept := "XDG_CONFIG_HOME=" + home + " XDG_DATA_HOME=" + home + " "
	t.Run("play without a game", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		fresh := "XDG_CONFIG_HOME=" + dir + " XDG_DATA_HOME=" + dir + " "
		p := openPane(t, fresh+"duel play --p2 master --best-of 3 --turn-time 45s --first random")
		p.shows(`▸ 1 Digit Dilemma`) // for a new user the first entry is the lesson
		p.types("Enter")
		p.shows(`Level +master`)
		p.shows(`Who starts +.*coin`)
		p.shows(`Games +best of 3`)
		p.shows(`Clock +45 seconds`)
		p.types("C-c")
		p.restored(130)
	})
	t.Run("play without a game by line", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		fresh := "XDG_CONFIG_HOME=" + dir + " XDG_DATA_HOME=" + dir + " "
		p := openPane(t, fresh+"duel play --line --p2 master --best-of 3 --hints=false --names Ada")
		p.shows(`^  1  Digit Dilemma: `)
		p.types("1", "Enter")
		p.shows(`^Game 1`) // the flags name the players
		p.shows(`Ada`)
		p.types("C-c")
		p.restored(130)
	})
	t.Run("help", func(t *testing.T) {
		t.Parallel()
		const help = "duel solve --help"
		// Each page waits for Enter so that it doesn't scroll away.
		p := openPane(t, "stty cols 50; "+help+"; read _; stty cols 200; "+help+"; read _; "+help+" | cat")
		p.shows(`^Shows the winner, .* when the winner$`) // 60 columns
		p.types("Enter")
		p.shows(`^Shows the winner, .* the loser delays, the first moves$`) // 100 columns
		p.types("Enter")
		p.shows(`^Shows the winner, .* the winner hurries and the loser$`) // 80 columns
		p.restored(0)
	})
	t.Run("puzzle", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, kept+"duel puzzle --date 2025-01-06")
		p.shows(`^ +Puzzle of 6 January 2025`)
		p.shows(`Past days are for practice`)
		p.types("1", "a")
		p.shows(`That day doesn't count: you solved it later\.`)
		p.types("Escape")
		p.shows(`~ 6 January 2025`)
		p.types("Escape") // to the shell
		p.restored(0)
	})
	t.Run("puzzle by line", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, kept+"duel puzzle highest --line --seed 1")
		p.shows(`^Your move, or help: $`)
		p.types("skip", "Enter")
		p.restored(0)
	})
	t.Run("review", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, kept+"duel review "+games)
		p.shows(`Move 3 of 6: Player 1 put 3 on the right\.`)
		p.types("Tab")
		p.shows(`game 2 of 2`)
		p.types("Escape")                          // to the shell
		p.shows(`^duel: .*bad lines: 1; games: 2`) // printed after the screen is left
		p.restored(1)
	})
	t.Run("review by line", func(t *testing.T) {
		t.Parallel()
		p := openPane(t, kept+"duel review --plain --all --game 2 "+games)
		p.shows(`^ 1\. Player 1 put 9 in the hundreds place\.`)
		p.restored(1)
	})
}
