package arena

import (
	"fmt"
	"strings"

	"digitduel/digit"
)

// checkPlanned returns nil if a name is allowed in a plan.
func checkPlanned(name string) error {
	if agent, ok := Agent(name); ok {
		return CheckAgent(agent)
	}
	return CheckPlayer(name)
}

// mostAgentName is the maximum length of the name of an agent.
const mostAgentName = 80

// CheckAgent returns nil if a name is allowed for an agent.
func CheckAgent(name string) error {
	switch {
	case name == "" || name != strings.TrimSpace(name):
		return fmt.Errorf("agent %q: allowed: a name without spaces around it", name)
	case len(name) > mostAgentName || digit.Printable(name) != name:
		return fmt.Errorf("agent %q: allowed: up to %d printable bytes", name, mostAgentName)
	}
	return nil
}

// Agent returns the name of the agent that a player is. It reports false if the player is not an
// agent.
func Agent(player string) (name string, ok bool) { return strings.CutPrefix(player, agentPrefix) }

// AgentPlayer returns the player for an agent's name.
func AgentPlayer(name string) string { return agentPrefix + name }

// forAgent reports whether an agent is the first player of a plan.
func (p *Plan) forAgent() bool {
	return len(p.Players) > 0 && strings.HasPrefix(p.Players[0], agentPrefix)
}

// checkAgents returns nil if a plan has no agent, or one that plays against levels.
func (p *Plan) checkAgents() error {
	if p.forAgent() && (p.MoveTime != 0 || p.SPRT != nil || p.Retries >= mostTries) {
		return fmt.Errorf("an agent has no time limit, no test, and up to %d retries", mostTries-1)
	}
	for i, name := range p.Players {
		_, agent := Agent(name)
		_, engine := Command(name)
		if agent && i > 0 || p.forAgent() && (engine || p.Format != Gauntlet) {
			return fmt.Errorf(
				"player %q: an agent plays a %s, as its first player and against levels",
				name, Gauntlet)
		}
	}
	return nil
}

// mostTries is the maximum number of attempts of an agent at a legal move.
const mostTries = 100

// A Due is a game for an agent to play.
type Due struct {
	tableLine
	Seed      uint64  `json:"-"` // seed of the level's choices
	Tries     int     `json:"-"`
	ShowMoves bool    `json:"-"`
	Disguise  *uint64 `json:"-"`
}

// A tableLine is a line of tables.jsonl: a game of an agent and its table.
type tableLine struct {
	Game     int         `json:"game"`   // counted from 1
	Player   string      `json:"player"` // the agent
	Opponent string      `json:"opponent"`
	Rules    digit.Rules `json:"rules"`
	Start    string      `json:"start"`
	Side     digit.Side  `json:"side"` // the agent's side
	Table    string      `json:"table"`
}

// maxSeed is the highest seed that every program can read: programs that use binary64 numbers
// round higher ones.
const maxSeed = 1<<53 - 1

// Due returns a game of a plan for an agent, by its number from 1.
func (p *Plan) Due(game int) Due {
	pair := p.pair((game - 1) / 2)
	return Due{
		tableLine: tableLine{
			Game: game, Player: p.Players[pair.a], Opponent: p.Players[pair.b],
			Rules: p.Rules[pair.rules], Start: pair.start, Side: digit.Side((game - 1) % 2),
		},
		Seed:  (mix(p.Seed) ^ mix(uint64(game))) & maxSeed,
		Tries: p.Retries + 1, ShowMoves: p.ShowMoves, Disguise: p.Disguise,
	}
}

// nth returns the game of the plan that begins as the n-th. Among the games from one start those
// in which the agent moves first come first. In the others the computer would show it what to
// play.
func (p *Plan) nth(n int) int {
	meet := p.meetings()
	from, i := (n-1)/(2*meet)*meet, (n-1)%(2*meet)
	number := from + i%meet
	pair := p.pair(number)
	r := p.Rules[pair.rules]
	start, _ := r.ParsePosition(pair.start) // checked before
	side := r.Turn(start)
	if i >= meet {
		side = side.Other()
	}
	return 2*number + 1 + int(side)
}
