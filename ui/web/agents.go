package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"digitduel/match"
	"digitduel/ui/gate"
)

// agentsPath is the path for programs that speak the Model Context Protocol. Config.Agents answers them,
// and asks the gate what they may do.
const agentsPath = "/mcp"

// maxAgentBody is how many bytes a request there may have: clients describe themselves in it, with pictures.
const maxAgentBody = 64 << 10

// refusedCode is what a refusal is numbered there, among the numbers that the protocol leaves to servers.
const refusedCode = -32000

// routeAgents is for programs that speak the protocol, where those are let in.
func (s *Server) routeAgents(mux *http.ServeMux) {
	if s.Agents == nil {
		return
	}
	mux.HandleFunc(agentsPath, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" && !isOwn(r.Host, s.BaseURL) { // a page of another site
			s.refuse(w, r, foreignHost)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		s.Agents.ServeHTTP(w, r.WithContext(gate.WithAsker(r.Context(), gate.Asker{Address: s.Address(r), Origin: s.origins(r)[0]})))
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

// Link returns the link by which anyone can watch a table, for an agent.
func Link(ctx context.Context, table string) string {
	return gate.AskerOf(ctx).Origin + tablePath(table, false)
}
