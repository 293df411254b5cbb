package arena

import (
	"fmt"
	"strings"

	"digitduel/bot"
	"digitduel/digit"
)

// checkPlanned returns nil if a name may be in a plan.
func checkPlanned(name string) error {
	if agent, ok := Agent(name); ok {
		return CheckAgent(agent)
	}
	return CheckPlayer(name)
}

// mostAgentName is how long the name of an agent may be.
const mostAgentName = 80

// CheckAgent returns nil if an agent may have a name.
func CheckAgent(name string) error {
	switch {
	case strings.TrimSpace(name) == "" || name != strings.TrimSpace(name):
		return fmt.Errorf("agent %q: it needs a name, without spaces around it", name)
	case len(name) > mostAgentName || digit.Printable(name) != name:
		return fmt.Errorf("agent %q: allowed: up to %d bytes that can be printed", name, mostAgentName)
	}
	return nil
}

// Agent returns the name of a player that is an agent.
func Agent(player string) (name string, ok bool) { return strings.CutPrefix(player, agentPrefix) }

// AgentPlayer returns the player that an agent of some name is.
func AgentPlayer(name string) string { return agentPrefix + name }

// forAgent reports whether an agent is the first player of a plan.
func (p *Plan) forAgent() bool {
	if len(p.Players) == 0 {
		return false
	}
	_, ok := Agent(p.Players[0])
	return ok
}

// checkAgents returns nil if there is no agent in a plan, or one that plays against levels.
func (p *Plan) checkAgents() error {
	if p.forAgent() && (p.MoveTime != 0 || p.SPRT != nil || p.Retries >= mostTries) {
		return fmt.Errorf("an agent takes the time that it takes, without a test, and has up to %d retries", mostTries-1)
	}
	for i, name := range p.Players {
		_, agent := Agent(name)
		_, engine := Command(name)
		if agent && i > 0 || p.forAgent() && (engine || p.Format != Gauntlet) {
			return fmt.Errorf("player %q: an agent plays a %s, as its first player and against levels", name, Gauntlet)
		}
	}
	return nil
}

// mostTries is how often an agent may answer until its move is legal.
const mostTries = 100

// checkOpen returns nil if a plan of an open run plans nothing.
func (p *Plan) checkOpen() error {
	if len(p.Players)+len(p.Rules)+len(p.Positions) > 0 || p.Pairs != 0 || p.MoveTime != 0 || p.Retries != 0 || p.SPRT != nil || p.ShowMoves || p.Disguise != nil {
		return fmt.Errorf("format %s: there is nothing to plan", Open)
	}
	return nil
}

// OpenPlan returns the plan of an open run. The seed tells it from others.
func OpenPlan(seed uint64) *Plan {
	p := &Plan{Format: Open, Players: []string{}, Rules: []digit.Rules{}, Positions: [][]string{}, Seed: seed}
	if err := p.seal(); err != nil {
		panic("arena: an open plan: " + err.Error())
	}
	return p
}

// A Due is a game that an agent is to play.
type Due struct {
	Game      int         `json:"game"`   // counted from 1
	Player    string      `json:"player"` // the agent
	Opponent  string      `json:"opponent"`
	Rules     digit.Rules `json:"rules"`
	Start     string      `json:"start"`
	Side      digit.Side  `json:"side"` // the agent's
	Table     string      `json:"table"`
	Seed      uint64      `json:"-"` // of the level's choices
	Tries     int         `json:"-"`
	ShowMoves bool        `json:"-"`
	Disguise  *uint64     `json:"-"`
}

// maxSeed is the highest seed that every program can read: those that know no other numbers than binary64 round the higher ones.
const maxSeed = 1<<53 - 1

// due returns a game of a plan for an agent, by its number from 1 on.
func (p *Plan) due(game int) Due {
	at, _ := p.pairs()
	pair := at((game - 1) / 2)
	return Due{
		Game: game, Player: p.Players[pair.a], Opponent: p.Players[pair.b], Rules: p.Rules[pair.rules], Start: pair.start, Side: digit.Side((game - 1) % 2),
		Seed: (mix(p.Seed) ^ mix(uint64(game))) & maxSeed, Tries: p.Retries + 1, ShowMoves: p.ShowMoves, Disguise: p.Disguise,
	}
}

// nth returns which game of the plan is begun as the n-th. Of the games from one start those come first in which the agent moves there: in
// the others the computer does, and would show what to play.
func (p *Plan) nth(n int) int {
	at, _ := p.pairs()
	meet := len(p.encounters())
	from, i := (n-1)/(2*meet)*meet, (n-1)%(2*meet)
	pair := from + i%meet
	side := p.turn(at(pair))
	if i >= meet {
		side = side.Other()
	}
	return 2*pair + 1 + int(side)
}

// shows reports whether a game would show, by its first move, what to play in another one that is not over.
func (p *Plan) shows(game, other int) bool {
	at, _ := p.pairs()
	meet := len(p.encounters())
	agents := func(game int) bool { return p.turn(at((game-1)/2)) == p.due(game).Side }
	return (game-1)/2/meet == (other-1)/2/meet && !agents(game) && agents(other)
}

// turn returns who moves at the start of a pair.
func (p *Plan) turn(pair pair) digit.Side {
	r := p.Rules[pair.rules]
	start, _ := r.ParsePosition(pair.start) // it was checked
	return r.Turn(start)
}

// same reports whether two are the same game, wherever they are played.
func (d *Due) same(other Due) bool {
	return d.Game == other.Game && d.Player == other.Player && d.Opponent == other.Opponent && d.Rules == other.Rules && d.Start == other.Start && d.Side == other.Side
}

// check returns nil if an agent may play such a game.
func (d *Due) check() error {
	name, ok := Agent(d.Player)
	if !ok {
		return fmt.Errorf("player %q: it is no agent", d.Player)
	}
	if err := CheckAgent(name); err != nil {
		return err
	}
	if _, err := bot.ParseLevel(d.Opponent); err != nil {
		return err
	}
	at, err := d.Rules.ParsePosition(d.Start)
	if err == nil && d.Rules.Result(at).Over() {
		err = fmt.Errorf("start %s: the game is over there", d.Start)
	}
	return err
}

// fits returns nil if a game that was played is the one that was to be.
func (d *Due) fits(g *Game) error {
	if p := dueOf(g); d.Player != p.Player || d.Opponent != p.Opponent || d.Rules != p.Rules || d.Start != p.Start || d.Side != p.Side {
		return fmt.Errorf("game %d: it is not the one that was begun: %s against %s in %v from %s", d.Game, d.Player, d.Opponent, d.Rules, d.Start)
	}
	return nil
}
