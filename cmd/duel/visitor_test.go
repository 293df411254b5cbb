package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"digitduel/digit"
	"digitduel/match"
)

// A visitor is at a table, as a player or, without a token, to watch. It follows the events by itself, as the rules of a table
// say, and compares.
type visitor struct {
	crew   *crew
	rng    *rand.Rand
	table  string
	token  string
	seat   match.Seat
	setup  match.Setup
	prefer int // the server it would rather be at
	games  int // how many it wants to play
	state  match.State
}

// errEnough says that a visitor wants to go.
var errEnough = errors.New("enough was played")

// follow stays at the table over as many streams as it takes.
func (v *visitor) follow(ctx context.Context) error {
	for {
		addr, _, err := v.crew.site.find(ctx, v.prefer)
		if err != nil {
			return nil
		}
		resp, err := v.listen(ctx, addr)
		if err == nil {
			err = v.hear(ctx, resp, addr)
		}
		switch {
		case ctx.Err() != nil, errors.Is(err, errEnough):
			return nil
		case err != nil:
			return fmt.Errorf("table %s, seat %d, after event %d: %w", v.table, v.seat, v.state.Seq, err)
		}
		v.crew.rest(2 * time.Millisecond) // the server is gone, which is not known here at once
	}
}

// listen opens a stream, and returns nothing if that cannot be done now.
func (v *visitor) listen(ctx context.Context, addr string) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("http://%s/api/tables/%s/events?after=%d", addr, v.table, v.state.Seq), nil)
	if err != nil {
		return nil, err
	}
	if v.token != "" {
		req.Header.Set("Authorization", "Bearer "+v.token)
	}
	resp, err := v.crew.client.Do(req)
	switch {
	case err != nil:
		return nil, nil
	case resp.StatusCode == http.StatusServiceUnavailable:
		return nil, resp.Body.Close()
	case resp.StatusCode != http.StatusOK:
		text, _ := io.ReadAll(resp.Body) // the status says enough
		resp.Body.Close()
		return nil, fmt.Errorf("a stream is refused: %d %s", resp.StatusCode, text)
	}
	return resp, nil
}

// hear takes up what a stream tells until it breaks.
func (v *visitor) hear(ctx context.Context, resp *http.Response, addr string) error {
	if resp == nil {
		return nil
	}
	defer resp.Body.Close()
	for lines := bufio.NewReader(resp.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		text, ok := strings.CutPrefix(line, "data: ")
		if text = strings.TrimSuffix(text, "\n"); !ok || text == "{}" {
			continue
		}
		a, err := parseTold(text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		v.crew.ledger.tell(v.table, a.Seq, text)
		v.time(a, addr)
		if err := v.take(a); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		if v.token == "" {
			continue
		}
		if err := v.act(ctx); err != nil {
			return err
		}
	}
}

// time notes how long it took to hear of a move that was sent to another server, unless a server came or went meanwhile.
func (v *visitor) time(a announcement, addr string) {
	age := v.crew.site.now()
	l := v.crew.ledger
	l.edit(v.table, func(known *account) {
		if sent, ok := known.sent[a.Seq]; ok && a.Kind == match.Moved && sent.addr != addr && sent.age == age {
			l.delays = append(l.delays, time.Since(sent.at))
		}
	})
}

// take follows an event, and says if that leads elsewhere than the server says.
func (v *visitor) take(a announcement) (err error) {
	if v.state, err = v.state.Apply(a.event(v.setup)); err != nil {
		return err
	}
	if a.Kind == match.Flagged {
		return errors.New("time ran out, of which everybody has plenty while a server is up")
	}
	s := v.state
	turn := ""
	if s.Playing() {
		turn = s.Setup.Rules.Turn(s.Position).String()
	}
	want := fmt.Sprint(s.Phase(), s.Setup.Rules.Text(s.Position), turn, s.Result)
	if fmt.Sprint(a.Phase, a.Position, a.Turn, a.Result) != want {
		return fmt.Errorf("the rules come to %s", want)
	}
	return nil
}

// act does what a player does in the state of the table, by chance.
func (v *visitor) act(ctx context.Context) error {
	s, roll := v.state, v.rng.IntN(100)
	switch {
	case s.Phase() == match.Between && s.Ready[v.seat]:
		return nil
	case s.Phase() == match.Between:
		return v.do(ctx, "next")
	case s.Phase() == match.Over && s.Game >= v.games:
		return errEnough
	case s.Phase() == match.Over && s.Again[v.seat]:
		return nil
	case s.Phase() == match.Over:
		return v.do(ctx, "rematch")
	case !s.Playing():
		return nil
	case s.Asking && s.Asker != v.seat && roll < 70:
		return v.do(ctx, "undo")
	case s.Asking && s.Asker != v.seat && roll < 90:
		return v.do(ctx, "refuse-undo")
	case s.Turn() != v.seat:
		return nil
	case roll < 2:
		return v.do(ctx, "resign")
	case roll < 8 && len(s.Moves) > 1 && !s.Asking:
		return v.do(ctx, "undo")
	case roll < 20:
		return v.moveTwice(ctx)
	default:
		return v.move(ctx)
	}
}

// settle does an act and notes it in the ledger, unless the table has gone on, in which case the stream tells why.
func (v *visitor) settle(ctx context.Context, prefer int, path string, body map[string]any, act string) (done bool, err error) {
	status, text, err := v.crew.insist(ctx, prefer, "/api/tables/"+v.table+"/"+path, v.token, body)
	switch {
	case err != nil:
		return false, err
	case status == http.StatusConflict:
		return false, nil
	case status != http.StatusOK:
		return false, fmt.Errorf("%s is refused: %d %s", act, status, text)
	}
	a, err := parseTold(string(text))
	if err != nil {
		return false, err
	}
	standing := strings.TrimSuffix(strings.TrimPrefix(string(text), "{"), "\n")
	v.crew.ledger.acknowledge(v.table, ack{a.Seq, v.seat, act, standing})
	return true, nil
}

// do does what is not a move.
func (v *visitor) do(ctx context.Context, act string) error {
	_, err := v.settle(ctx, v.prefer, "acts", map[string]any{"act": act}, act)
	return err
}

func (v *visitor) pick() digit.Move {
	m, _ := v.state.Setup.Rules.Pick(v.state.Position, v.rng.IntN) // a game under way has a move
	return m
}

func (v *visitor) send(ctx context.Context, m digit.Move, prefer int) (done bool, err error) {
	return v.settle(ctx, prefer, "moves", map[string]any{"move": m, "seq": v.state.Seq}, m.String())
}

// move plays a move by chance.
func (v *visitor) move(ctx context.Context) error {
	addr, age, err := v.crew.site.find(ctx, v.prefer)
	if err != nil {
		return err
	}
	v.crew.ledger.edit(v.table, func(a *account) { a.sent[v.state.Seq+1] = posted{time.Now(), addr, age} })
	_, err = v.send(ctx, v.pick(), v.prefer)
	return err
}

// moveTwice sends two moves for one turn at the same time, to different servers if there are several. They may be the same.
func (v *visitor) moveTwice(ctx context.Context) error {
	r := race{seq: v.state.Seq + 1, seat: v.seat, moves: [2]digit.Move{v.pick(), v.pick()}}
	var errs [2]error
	var both sync.WaitGroup
	for i, m := range r.moves {
		both.Go(func() { r.accepted[i], errs[i] = v.send(ctx, m, v.prefer+i) })
	}
	both.Wait()
	if err := errors.Join(errs[0], errs[1]); err != nil {
		return err
	}
	v.crew.ledger.edit(v.table, func(a *account) { a.races = append(a.races, r) })
	return nil
}
