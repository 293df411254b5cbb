package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// TestAServerHearsOfOthers checks that the server of a file gets a notice of every event of other
// programs and none of its own, and a general notice after too many events at once.
func TestAServerHearsOfOthers(t *testing.T) {
	t.Parallel()
	file := kinds[0].where(t)
	server := openAt(t, file, Config{Server: true})
	one, two := openAt(t, file, Config{}), openAt(t, file, Config{})
	steps := script(t, match.Setup{Rules: digit.Dilemma}, fiveMoves)
	appendSteps(t, one, "before", steps)
	heard := listen(t, server)
	appendSteps(t, one, "t", steps[:2])
	appendSteps(t, server, "t", steps[2:3])
	appendSteps(t, server, "own", steps)
	appendSteps(t, two, "t", steps[3:4])
	if err := two.Append(t.Context(), "t", steps[3].Event, steps[3].After); !errors.Is(err, match.ErrConflict) {
		t.Errorf("got %v", err) // without a notice
	}
	appendSteps(t, one, "t", steps[4:5])
	for _, seq := range []int{1, 2, 4, 5} {
		expect(t, heard, match.Notice{Table: "t", Seq: seq})
	}
	var group []*entry
	for i := range mostNews + 1 {
		e, err := newEntry(fmt.Sprint("many", i), steps[0].Event, steps[0].After)
		if err != nil {
			t.Fatal(err)
		}
		group = append(group, e)
	}
	if err := two.engine.commit(group); err != nil {
		t.Fatal(err)
	}
	expect(t, heard, match.Notice{})
	appendSteps(t, one, "t", steps[5:6])
	expect(t, heard, match.Notice{Table: "t", Seq: 6})
}

// TestATableBesideAServer plays one game from two programs that are not servers, and watches it on
// the server: each program continues where the other stopped, and the server sees every move.
func TestATableBesideAServer(t *testing.T) {
	t.Parallel()
	file := kinds[0].where(t)
	var halls []*match.Hall
	for i := range 3 {
		d := openAt(t, file, Config{Server: i == 0})
		hall := match.NewHall(d, match.HallConfig{})
		t.Cleanup(hall.Close)
		if halls = append(halls, hall); i == 0 {
			ctx, cancel := context.WithCancel(t.Context())
			var listening sync.WaitGroup
			listening.Go(func() { _ = d.Listen(ctx, hall.Notice) }) // until ctx is done
			t.Cleanup(func() { cancel(); listening.Wait() })
		}
	}
	opened, err := halls[1].Open(t.Context(), "t", match.Setup{Rules: digit.Dilemma})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.Table.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	var tables []*match.Table
	for _, hall := range halls {
		v, err := hall.Visit(t.Context(), "t")
		if err != nil {
			t.Fatal(err)
		}
		tables = append(tables, v.Table)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	moves := strings.Fields("7a 3b 1c 5a 2b")
	for e, s := range tables[0].Watch(ctx, 1) {
		if !s.Playing() {
			if e.Seq != 2+len(moves) {
				t.Errorf("the game ended with event %d, want %d", e.Seq, 2+len(moves))
			}
			return
		}
		n := len(s.Moves)
		m, _ := digit.ParseMove(moves[n])
		player, other := tables[1+n/2%2], tables[2-n/2%2] // they take turns, two moves each
		if _, err := other.Play(t.Context(), s.Turn().Other(), m, 0); !errors.Is(err, match.ErrTurn) {
			t.Errorf("out of turn: %v", err)
		}
		if _, err := player.Play(t.Context(), s.Turn(), m, 0); err != nil {
			t.Errorf("move %d: %v", n+1, err)
		}
	}
	t.Errorf("the server saw no event after event %d", tables[0].State().Seq)
}

// TestProgramsPlayBesideAServer writes games to a file from several programs at once, and from its
// server: all games are stored, and no write fails.
func TestProgramsPlayBesideAServer(t *testing.T) {
	file := kinds[0].where(t)
	server := openAt(t, file, Config{Server: true})
	var programs []*exec.Cmd
	for range 3 {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), "DUEL_TEST_BESIDE="+file)
		cmd.Stdout = new(strings.Builder)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		programs = append(programs, cmd)
	}
	steps := script(t, match.Setup{Rules: digit.Dilemma}, "began; 1 7a; 2 3b; 1 1c; 2 5a; 1 2b")
	for n := range gamesEach {
		appendSteps(t, server, fmt.Sprint("s", n), steps)
	}
	for _, cmd := range programs {
		if err := cmd.Wait(); err != nil {
			t.Errorf("%v: %v", err, cmd.Stdout)
		}
	}
	count, last, err := readNews(t.Context(), server.sql)
	games, wrong := server.Games(t.Context(), match.GameFilter{Limit: 1000})
	err = errors.Join(err, wrong)
	if err != nil || len(games) != 4*gamesEach || count == 0 || len(last) != mostNews {
		t.Errorf("%d games, news of %d events; %v", len(games), count, err)
	}
}

// gamesEach is the number of games that each program plays.
const gamesEach = 20

// playGames plays games in a database that has a server.
func playGames(where string) error {
	ctx := context.Background()
	d, err := Open(ctx, where, Config{})
	if err != nil {
		return err
	}
	for n := range gamesEach {
		id := fmt.Sprintf("p%dn%d", os.Getpid(), n)
		table, err := match.Open(ctx, id, match.Setup{Rules: digit.Dilemma}, d, nil)
		if err != nil {
			return err
		}
		for s, err := table.Begin(ctx); s.Playing() || err != nil; {
			if err != nil {
				return err
			}
			m, _ := s.Setup.Rules.Pick(s.Position, func(int) int { return 0 })
			s, err = table.Play(ctx, s.Turn(), m, 0)
		}
		table.Close()
	}
	return d.Close()
}
