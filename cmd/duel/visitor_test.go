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

// A visitor plays at a table or, without a token, watches it. It applies the events itself, by the
// rules of a table, and compares the states.
type visitor struct {
	clients *clients
	rng     *rand.Rand
	table   string
	token   string
	seat    match.Seat
	setup   match.Setup
	prefer  int // the number of the preferred server
	games   int // the number of games to play
	state   match.State
}

// errEnough reports that a visitor has played enough.
var errEnough = errors.New("played enough")

// follow stays at the table, over several streams if needed.
func (v *visitor) follow(ctx context.Context) error {
	for {
		addr, _, err := v.clients.servers.find(ctx, v.prefer)
		if err != nil {
			return nil
		}
		resp, err := v.listen(ctx, addr)
		if err == nil {
			err = v.readStream(ctx, resp, addr)
		}
		switch {
		case ctx.Err() != nil, errors.Is(err, errEnough):
			return nil
		case err != nil:
			return fmt.Errorf("table %s, seat %d, after event %d: %w",
				v.table, v.seat, v.state.Seq, err)
		}
		v.clients.pause(2 * time.Millisecond) // the server is down, but the pool doesn't know yet
	}
}

// listen opens a stream. It returns nil if that is not possible now.
func (v *visitor) listen(ctx context.Context, addr string) (*http.Response, error) {
	url := fmt.Sprintf("http://%s/api/tables/%s/events?after=%d", addr, v.table, v.state.Seq)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	if v.token != "" {
		req.Header.Set("Authorization", "Bearer "+v.token)
	}
	resp, err := v.clients.client.Do(req)
	switch {
	case err != nil:
		return nil, nil
	case resp.StatusCode == http.StatusServiceUnavailable:
		return nil, resp.Body.Close()
	case resp.StatusCode != http.StatusOK:
		text, _ := io.ReadAll(resp.Body) // the status is enough
		resp.Body.Close()
		return nil, fmt.Errorf("a stream was refused: %d %s", resp.StatusCode, text)
	}
	return resp, nil
}

// readStream handles the events of a stream until it breaks.
func (v *visitor) readStream(ctx context.Context, resp *http.Response, addr string) error {
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
		a, err := parseEvent(text)
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		v.clients.ledger.noteEvent(v.table, a.Seq, text)
		v.noteDelay(a, addr)
		if err := v.apply(a); err != nil {
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

// noteDelay notes how long it took to receive a move that was sent to another server, unless the
// servers changed in between.
func (v *visitor) noteDelay(a streamEvent, addr string) {
	version := v.clients.servers.currentVersion()
	l := v.clients.ledger
	l.update(v.table, func(known *tableRecord) {
		if sent, ok := known.sent[a.Seq]; ok && a.Kind == match.Moved && sent.addr != addr && sent.version == version {
			l.delays = append(l.delays, time.Since(sent.at))
		}
	})
}

// apply applies an event, and returns an error if the result differs from the server's.
func (v *visitor) apply(a streamEvent) (err error) {
	if v.state, err = v.state.Apply(a.event(v.setup)); err != nil {
		return err
	}
	if a.Kind == match.Flagged {
		return errors.New("time ran out, although there is plenty while a server is up")
	}
	s := v.state
	turn := ""
	if s.Playing() {
		turn = s.Setup.Rules.Turn(s.Position).String()
	}
	want := fmt.Sprint(s.Phase(), s.Setup.Rules.Text(s.Position), turn, s.Result)
	if fmt.Sprint(a.Phase, a.Position, a.Turn, a.Result) != want {
		return fmt.Errorf("the state must be %s", want)
	}
	return nil
}

// act does a random act that fits the state of the table.
func (v *visitor) act(ctx context.Context) error {
	s, roll := v.state, v.rng.IntN(100)
	switch {
	case s.Phase() == match.Between && s.Ready[v.seat]:
		return nil
	case s.Phase() == match.Between:
		return v.doAct(ctx, "next")
	case s.Phase() == match.Over && s.Game >= v.games:
		return errEnough
	case s.Phase() == match.Over && s.Again[v.seat]:
		return nil
	case s.Phase() == match.Over:
		return v.doAct(ctx, "rematch")
	case !s.Playing():
		return nil
	case s.Asking && s.Asker != v.seat && roll < 70:
		return v.doAct(ctx, "undo")
	case s.Asking && s.Asker != v.seat && roll < 90:
		return v.doAct(ctx, "refuse-undo")
	case s.Turn() != v.seat:
		return nil
	case roll < 2:
		return v.doAct(ctx, "resign")
	case roll < 8 && len(s.Moves) > 1 && !s.Asking:
		return v.doAct(ctx, "undo")
	case roll < 20:
		return v.moveTwice(ctx)
	default:
		return v.move(ctx)
	}
}

// postAct does an act and records it in the ledger. If the table has changed, it returns false; the
// stream shows why.
func (v *visitor) postAct(
	ctx context.Context, prefer int, path string, body map[string]any, act string,
) (done bool, err error) {
	path = "/api/tables/" + v.table + "/" + path
	status, text, err := v.clients.postUntilAnswered(ctx, prefer, path, v.token, body)
	switch {
	case err != nil:
		return false, err
	case status == http.StatusConflict:
		return false, nil
	case status != http.StatusOK:
		return false, fmt.Errorf("%s was refused: %d %s", act, status, text)
	}
	a, err := parseEvent(string(text))
	if err != nil {
		return false, err
	}
	standing := strings.TrimSuffix(strings.TrimPrefix(string(text), "{"), "\n")
	v.clients.ledger.acknowledge(v.table, ack{a.Seq, v.seat, act, standing})
	return true, nil
}

// doAct does an act that is not a move.
func (v *visitor) doAct(ctx context.Context, act string) error {
	_, err := v.postAct(ctx, v.prefer, "acts", map[string]any{"act": act}, act)
	return err
}

func (v *visitor) pick() digit.Move {
	m, _ := v.state.Setup.Rules.Pick(v.state.Position, v.rng.IntN) // a running game has a move
	return m
}

func (v *visitor) send(ctx context.Context, m digit.Move, prefer int) (done bool, err error) {
	body := map[string]any{"move": m, "seq": v.state.Seq}
	return v.postAct(ctx, prefer, "moves", body, m.String())
}

// move plays a random move.
func (v *visitor) move(ctx context.Context) error {
	addr, version, err := v.clients.servers.find(ctx, v.prefer)
	if err != nil {
		return err
	}
	v.clients.ledger.update(v.table, func(a *tableRecord) { a.sent[v.state.Seq+1] = sentMove{time.Now(), addr, version} })
	_, err = v.send(ctx, v.pick(), v.prefer)
	return err
}

// moveTwice sends two moves for one turn at the same time, to different servers if there are
// several. The moves may be equal.
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
	v.clients.ledger.update(v.table, func(a *tableRecord) { a.races = append(a.races, r) })
	return nil
}
