package web

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"digitduel/digit"
	"digitduel/match"
	"digitduel/solve"
)

// agentsPath is where programs play that speak the Model Context Protocol. What they say is not for this package: it hands requests on to
// Config.Agents, which asks back what whoever called may do, and tells what was called.
const agentsPath = "/mcp"

// maxAgentBody is how many bytes a request there may have: clients describe themselves in it, with pictures.
const maxAgentBody = 64 << 10

// refusedCode is what a refusal is numbered there, among the numbers that the protocol leaves to servers.
const refusedCode = -32000

// An asker is whoever made a request there.
type asker struct{ address, origin string }

type askerKey struct{}

// askerOf returns the asker of a request whose context it is.
func askerOf(ctx context.Context) asker {
	a, _ := ctx.Value(askerKey{}).(asker)
	return a
}

// routeAgents is for programs that speak the protocol, where those are let in.
func (s *Server) routeAgents(mux *http.ServeMux) {
	if s.Agents == nil {
		return
	}
	agents := s.Agents(s)
	mux.HandleFunc(agentsPath, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" && !isOwn(r.Host, s.BaseURL) { // a page of another site
			s.refuse(w, r, foreignHost)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		agents.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), askerKey{}, asker{s.address(r), s.origins(r)[0]})))
	})
}

// foreignHost refuses a request for the name of another host.
var foreignHost = &problem{
	status: http.StatusForbidden,
	text:   "the request is for another host; allowed: this server's own name, which --base-url sets",
}

// isForeign reports whether a request that came in at a loopback address is for the name of another
// host. By such a name, made to lead here, the page of another site could have a browser read what
// this server says. A request that a trusted proxy hands on is for any host.
func (s *Server) isForeign(r *http.Request) bool {
	at, _ := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return at != nil && at.IP.IsLoopback() && !s.TrustProxy && !isOwn(r.Host, s.BaseURL)
}

// isOwn reports whether a host cannot be a name that somebody else made to lead here: it is an address, this machine's own name, or the one that
// links begin with.
func isOwn(host, base string) bool {
	if _, ip := hostOf(host); ip.IsValid() || isLoopback(host) {
		return true
	}
	u, err := url.Parse(base)
	return err == nil && base != "" && strings.EqualFold(u.Host, host)
}

// MayOpen returns nil if whoever calls may open a table for a game against the computer, and notes that they pay for its first turn.
func (s *Server) MayOpen(ctx context.Context, id string) error {
	address := askerOf(ctx).address
	if wait, ok := s.gate.open(address, s.Now()); !ok {
		return tooMany("new tables from your address", wait)
	}
	s.work.pays(id, address)
	return nil
}

// MayPlay returns nil if whoever calls may act for a seat of a table, after which the computer may be to move.
func (s *Server) MayPlay(ctx context.Context, t *match.Table, seat match.Seat) error {
	if err := s.allowed(t, seat); err != nil {
		return err
	}
	return s.answered(askerOf(ctx).address, t)
}

// SolvedFor returns the solution of a game for whoever calls, until ctx is done: work that they pay for. Nobody may wait for another piece of
// work of theirs meanwhile, which comes after this one.
func (s *Server) SolvedFor(ctx context.Context, r digit.Rules) (*solve.Solution, error) {
	solution, done, err := s.solvedFor(ctx, askerOf(ctx).address, patienceOfPrograms, r)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, done)
	return solution, nil
}

// Work does something for whoever calls that takes long, and that they pay for.
func (s *Server) Work(ctx context.Context, do func()) error {
	return s.chargedTo(ctx, askerOf(ctx).address, do)
}

// unreadable refuses what is no move. A program whose turn it is has used up a try by it, unless it was for a state that has passed.
func unreadable(ctx context.Context, t *match.Table, seat match.Seat, why error, seen int) (state match.State, err error) {
	if state = t.State(); state.Setup.IsAgent(seat) && state.Playing() && state.Turn() == seat && (seen == 0 || seen == state.Seq) {
		if state, err = t.Fault(ctx, seat, match.Unreadable); err != nil {
			return state, err
		}
		why = fmt.Errorf("%w%s", why, costOf(state, seat))
	}
	return state, &problem{status: http.StatusUnprocessableEntity, text: why.Error(), legal: legal(state), seq: state.Seq}
}

// costOf says how many tries an answer that is no legal move has left to a program; nothing to a person.
func costOf(s match.State, seat match.Seat) string {
	switch {
	case !s.Setup.IsAgent(seat):
		return ""
	case s.Playing():
		return fmt.Sprintf("; tries left: %d", s.TriesLeft())
	}
	return "; that was the last try, and the game is lost"
}

// Watch returns the link by which anybody can watch a table, for whoever calls.
func (s *Server) Watch(ctx context.Context, table string) string {
	return askerOf(ctx).origin + tablePath(table, false)
}

// Called counts and logs a call of a tool: about which table if any, and what came of it, which is done, refused, limited or broken.
func (s *Server) Called(ctx context.Context, tool, table, outcome string, took time.Duration) {
	switch {
	case outcome == "limited":
		s.metrics.limited.Add(1)
	case outcome == "done" && tool == "new_game":
		s.metrics.tables.Add(1)
	case outcome == "done" && tool == "play":
		s.metrics.moves.Add(1)
	}
	s.metrics.called(tool, outcome)
	if s.Log.Enabled(ctx, slog.LevelDebug) {
		s.Log.Debug("called", "tool", tool, "table", table, "outcome", outcome, "took", took)
	}
}
