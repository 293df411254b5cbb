package web

import (
	"context"
	"fmt"
	"net/http"

	"digitduel/match"
	"digitduel/ui/gate"
)

// agentsPath is the path for programs that speak the Model Context Protocol. Config.Agents answers
// them, and asks the gate for permission.
const agentsPath = "/mcp"

// maxAgentBody limits the bytes of a request from an agent: clients describe themselves in it, with
// pictures.
const maxAgentBody = 64 << 10

// refusedCode is the error code of a refusal, one of those that the protocol leaves to servers.
const refusedCode = -32000

// routeAgents adds the route for agents, if the server has one.
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
		s.Agents.ServeHTTP(w, r.WithContext(gate.WithAsker(r.Context(),
			gate.Asker{Address: s.Address(r), Origin: s.origins(r)[0]})))
	})
}

// unreadable refuses a text that is not a move. If it is a program's turn, the program loses a try,
// unless the text was for an older state.
func unreadable(ctx context.Context, t *match.Table, seat match.Seat, why error,
	seen int) (state match.State, err error) {
	if state = t.State(); state.Setup.IsAgent(seat) && state.Playing() && state.Turn() == seat &&
		(seen == 0 || seen == state.Seq) {
		if state, err = t.Fault(ctx, seat, match.Unreadable); err != nil {
			return state, err
		}
		why = fmt.Errorf("%w%s", why, costOf(state, seat))
	}
	return state, &problem{status: http.StatusUnprocessableEntity, text: why.Error(),
		legal: legal(state), seq: state.Seq}
}

// costOf returns the number of tries left to a program after an answer that is not a legal move. It
// is empty for a person.
func costOf(s match.State, seat match.Seat) string {
	switch {
	case !s.Setup.IsAgent(seat):
		return ""
	case s.Playing():
		return fmt.Sprintf("; tries left: %d", s.TriesLeft())
	}
	return "; that was the last try, and the game is lost"
}

// Link returns the link for watching a table, for an agent.
func Link(ctx context.Context, table string) string {
	return gate.AskerOf(ctx).Origin + tablePath(table, false)
}
