package match_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"digitduel/digit"
	"digitduel/match"
)

// This example opens a table and plays a game.
func Example() {
	ctx := context.Background()
	setup := match.Setup{
		Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}, Terms: match.Terms{BestOf: 3},
	}
	table, err := match.Open(ctx, "evening", setup, new(match.Memory), rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		log.Fatal(err)
	}
	defer table.Close()
	state, err := table.Begin(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"9a", "8a", "2c", "7b", "5b", "9c", "6c"} {
		m, err := digit.ParseMove(text)
		if err != nil {
			log.Fatal(err)
		}
		if state, err = table.Play(ctx, state.Turn(), m, state.Seq); err != nil {
			fmt.Println(err) // and nothing has changed
		}
	}
	fmt.Println(setup.Rules.Text(state.Position), state.Result)
	winner, _ := state.Winner()
	fmt.Printf("%s wins; it is %d to %d, and the series is over: %v\n",
		setup.Name(winner), state.Wins[match.One], state.Wins[match.Two], state.SeriesOver())
	// Output:
	// 9c: 9 is taken; left: 1 3 4 6
	// 952/876 1-0 higher
	// Ada wins; it is 1 to 0, and the series is over: false
}

// A watcher gets the past events and then new ones, each with the state after it.
func ExampleTable_Watch() {
	ctx := context.Background()
	setup := match.Setup{Rules: digit.Highest, Names: [2]string{"Ada", "Ben"}}
	table, err := match.Open(ctx, "t", setup, new(match.Memory), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer table.Close()
	table.Begin(ctx)
	for event, state := range table.Watch(ctx, 0) {
		fmt.Println(event.Seq, event.Kind, state.Setup.Rules.Text(state.Position), state.Result)
		switch {
		case state.Playing() && len(state.Moves) == 0: // the watcher may be a player
			table.Play(ctx, state.Turn(), digit.Move{Digit: 9, Spot: 'a'}, event.Seq)
		case state.Playing():
			table.Do(ctx, state.Turn(), match.Resign, "")
		case state.SeriesOver():
			return
		}
	}
	// Output:
	// 1 opened ___/___ *
	// 2 began ___/___ *
	// 3 moved 9__/___ *
	// 4 resigned 9__/___ 1-0 resigned
}

// A hall loads a table at the first visit, and counts its players and watchers.
func ExampleHall() {
	ctx := context.Background()
	store := new(match.Memory)
	monday := match.NewHall(store, match.HallConfig{})
	visit, err := monday.Open(ctx, "t", match.Setup{Rules: digit.Highest})
	if err != nil {
		log.Fatal(err)
	}
	visit.Table.Begin(ctx)
	visit.Table.Play(ctx, match.One, digit.Move{Digit: 9, Spot: 'a'}, 0)
	visit.Close()
	monday.Close()

	tuesday := match.NewHall(store, match.HallConfig{})
	defer tuesday.Close()
	if visit, err = tuesday.Visit(ctx, "t"); err != nil {
		log.Fatal(err)
	}
	defer visit.Close()
	leave, err := visit.StayAs(ctx, match.Two)
	if err != nil {
		log.Fatal(err)
	}
	defer leave()
	state, err := visit.Table.Play(ctx, match.Two, digit.Move{Digit: 8, Spot: 'a'}, 0)
	fmt.Println(visit.Table.ID(), state.Setup.Rules.Text(state.Position), err)
	people, _ := visit.Presence()
	fmt.Println("players here:", people.Seats, "watchers:", people.Watchers)
	// Output:
	// t 9__/8__ <nil>
	// players here: [false true] watchers: 0
}

// Resume continues a table of an earlier program.
func ExampleResume() {
	ctx := context.Background()
	store := new(match.Memory)
	table, err := match.Open(ctx, "t", match.Setup{Rules: digit.Dilemma}, store, nil)
	if err != nil {
		log.Fatal(err)
	}
	table.Begin(ctx)
	table.Play(ctx, match.One, digit.Move{Digit: 7, Spot: 'a'}, 0)
	table.Close() // as when the program ends

	again, err := match.Resume(ctx, "t", store, nil)
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	fmt.Println(again.State().Moves, again.State().Turn(), "is to move")
	_, err = match.Resume(ctx, "u", store, nil)
	fmt.Println(err)
	// Output:
	// [7a] Player 2 is to move
	// table "u": there is no such table
}
