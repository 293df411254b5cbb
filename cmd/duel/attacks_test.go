package main

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// An attack makes a server compute or hold much. Run is called once for each worker, and returns
// when ctx is done.
type attack struct {
	name    string
	workers int
	run     func(ctx context.Context, v *attacker, worker int)
}

// gameIn matches the name of a game in an answer of a tool.
var gameIn = regexp.MustCompile(`[0-9A-Za-z_-]{8,}\.[0-9A-Za-z_-]{16,}`)

// largest is the game that takes longest of those that a server solves.
const largest = "sevens pool=0-f width=8"

var attacks = append(singleAttacks, attack{"everything", 1, func(ctx context.Context, v *attacker, _ int) {
	concurrently(len(singleAttacks), func(i int) {
		concurrently(singleAttacks[i].workers, func(worker int) {
			singleAttacks[i].run(ctx, v, worker)
		})
	})
}})

var singleAttacks = []attack{
	{"many solutions", 20, func(ctx context.Context, v *attacker, worker int) {
		for n := 20 + worker; ctx.Err() == nil; n += 20 {
			v.open(ctx, fmt.Sprintf("divisibility pool=1-b target=%d", 13+n%9000), `,"seats":["human","expert"]`)
		}
	}},
	{"large games", 40, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n += 40 {
			v.open(ctx, fmt.Sprintf("%s target=%d", largest, 8+n%9000), `,"seats":["human","expert"]`)
		}
	}},
	{"games on the edge of being quick", 20, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n += 20 {
			v.open(ctx, fmt.Sprintf("sevens pool=0-f width=5 target=%d", 8+n%9000), `,"seats":["human","expert"]`)
		}
	}},
	{"games that are too large", 20, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n += 20 {
			v.open(ctx, fmt.Sprintf("dilemma pool=0-f width=5 target=%d", 8+n%9000), `,"seats":["human","expert"]`)
		}
	}},
	{"games requested and abandoned", 20, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n += 20 {
			brief, done := context.WithTimeout(ctx, 30*time.Millisecond)
			v.open(brief, fmt.Sprintf("divisibility pool=1-b target=%d", 13+n%9000), `,"seats":["human","expert"]`)
			done()
		}
	}},
	{"series of many targets", 10, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n += 10 {
			first := 1000 + 7*(n%1000)
			targets := fmt.Sprintf("%d,%d,%d,%d,%d,%d,%d", first, first+1, first+2, first+3, first+4, first+5, first+6)
			v.open(ctx, fmt.Sprintf("divisibility pool=1-b target=%d", first), fmt.Sprintf(`,"seats":["human","expert"],"best_of":7,"targets":%q`, targets))
		}
	}},
	{"reviews", 8, func(ctx context.Context, v *attacker, _ int) {
		for ctx.Err() == nil {
			g, ok := v.open(ctx, largest, "")
			if !ok {
				continue
			}
			v.playRandomly(ctx, g, largest, 4)
			v.ask(ctx, "POST", g.path+"/acts", g.tokens[0], `{"act":"resign"}`)
			v.ask(ctx, "GET", strings.Replace(g.path, "/api/tables/", "/t/", 1)+"/games/1", "", "")
		}
	}},
	{"hints", 16, func(ctx context.Context, v *attacker, worker int) {
		rules := []string{"sevens pool=0-f width=4", largest}[worker%2]
		for ctx.Err() == nil {
			g, ok := v.open(ctx, rules, `,"hints":true`)
			for ok && ctx.Err() == nil {
				v.ask(ctx, "GET", g.path+"/hint", g.tokens[0], "")
			}
		}
	}},
	{"the computer's moves", 16, func(ctx context.Context, v *attacker, worker int) {
		rules := fmt.Sprintf("sevens pool=0-f width=7 target=%d", 7+worker%4)
		for ctx.Err() == nil {
			if g, ok := v.open(ctx, rules, `,"seats":["human","perfect"]`); ok {
				v.playRandomly(ctx, g, rules, 100)
			}
		}
	}},
	{"computers alone", 8, func(ctx context.Context, v *attacker, _ int) {
		for ctx.Err() == nil {
			v.open(ctx, "dilemma", `,"seats":["expert","expert"],"best_of":99`)
		}
	}},
	{"long clocks", 8, func(ctx context.Context, v *attacker, _ int) {
		for ctx.Err() == nil {
			v.open(ctx, "dilemma", `,"turn_time":"24h"`)
		}
	}},
	{"streams", 1, func(ctx context.Context, v *attacker, _ int) {
		var tables []attackTable
		for len(tables) < 100 && ctx.Err() == nil {
			if g, ok := v.open(ctx, "dilemma", `,"hints":true`); ok {
				tables = append(tables, g)
			}
		}
		if len(tables) == 0 {
			return
		}
		var to atomic.Int64
		concurrently(2500, func(i int) {
			if i%50 == 0 {
				v.playRandomly(ctx, tables[to.Add(1)%int64(len(tables))], "dilemma", 6)
				return
			}
			g := tables[i%len(tables)]
			path := []string{g.path + "/events", strings.Replace(g.path, "/api/tables/", "/t/", 1) + "/live"}[i%2]
			v.stream(ctx, path, []string{g.tokens[0], ""}[i/2%2], i%3 > 0)
		})
	}},
	{"many pages of one player", 4, func(ctx context.Context, v *attacker, _ int) {
		path, cookies := v.post(ctx, "/tables", "", "book=dilemma&opponent=computer&level=casual&hints=computer&first=1")
		if path == "" {
			return
		}
		concurrently(201, func(i int) {
			if i > 0 {
				v.stream(ctx, path+"/live?hint=1", cookies, true)
				return
			}
			for n := 0; ctx.Err() == nil; n++ {
				v.post(ctx, path+"/acts", cookies, []string{"act=no-hints", "act=hints"}[n%2])
				time.Sleep(50 * time.Millisecond)
			}
		})
	}},
	{"watchers who come and go", 200, func(ctx context.Context, v *attacker, worker int) {
		g, ok := v.open(ctx, "dilemma", "")
		for ok && ctx.Err() == nil {
			brief, done := context.WithTimeout(ctx, 500*time.Millisecond)
			concurrently(3, func(int) {
				v.stream(brief, strings.Replace(g.path, "/api/tables/", "/t/", 1)+"/live", "", true)
			})
			done()
		}
	}},
	{"a long log", 100, func(ctx context.Context, v *attacker, worker int) {
		if g, ok := v.open(ctx, "dilemma", ""); ok && worker == 0 {
			concurrently(4, func(i int) {
				for ctx.Err() == nil {
					v.ask(ctx, "POST", g.path+"/acts", g.tokens[i%2], `{"act":"hints"}`)
					v.ask(ctx, "POST", g.path+"/acts", g.tokens[i%2], `{"act":"no-hints"}`)
				}
			})
		} else if ok {
			v.stream(ctx, g.path+"/events", "", false)
		}
	}},
	{"idle connections", 1, func(ctx context.Context, v *attacker, _ int) {
		concurrently(10_000, func(int) {
			v.hold(ctx, "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", false)
		})
	}},
	{"slow requests", 1, func(ctx context.Context, v *attacker, _ int) {
		concurrently(5_000, func(i int) {
			for ctx.Err() == nil {
				switch i % 3 {
				case 0:
					v.hold(ctx, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ", true)
				case 1:
					v.hold(ctx, "POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 16000\r\n\r\n{", true)
				default:
					v.hold(ctx, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Large: "+strings.Repeat("a", 15_000), true)
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
	}},
	{"pages", 16, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n++ {
			v.ask(ctx, "GET", []string{
				"/", "/games", "/games?book=dilemma&page=9999", "/api/games?limit=1000", "/api/tables?limit=1000", "/lobby", "/stats", "/api/stats", "/rules/dilemma",
				"/rules/sevens?pool=0-f&width=8", "/new?rules=sevens+pool%3D0-f+width%3D8", fmt.Sprintf("/puzzle?day=2025-0%d-1%d", 1+n%9, n%9), "/api/openapi.json", "/metrics",
			}[n%14], "", "")
		}
	}},
	{"large bodies", 16, func(ctx context.Context, v *attacker, _ int) {
		for name := strings.Repeat("a", 60_000); ctx.Err() == nil; {
			v.ask(ctx, "POST", "/api/tables", "", `{"rules":"dilemma","names":["`+name+`"]}`)
			v.ask(ctx, "POST", "/api/tables", "", `{"rules":"dilemma","names":["`+name[:16_000]+`"]}`)
		}
	}},
	{"games of agents", 40, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n += 40 {
			rules := []string{
				"dilemma", "dilemma pool=0-f width=4 target=%d", "divisibility pool=1-b target=%d", "dilemma pool=0-f width=5 target=%d", largest + " target=%d",
			}[n%5]
			if strings.Contains(rules, "%") {
				rules = fmt.Sprintf(rules, 13+n%9000)
			}
			status, text := v.call(ctx, "new_game", fmt.Sprintf(`{"rules":%q,"start":"won","show_moves":true}`, rules))
			if game := gameIn.FindString(text); status == http.StatusOK && game != "" {
				v.call(ctx, "state", fmt.Sprintf(`{"game":%q}`, game))
				v.call(ctx, "legal_moves", fmt.Sprintf(`{"game":%q}`, game))
				v.call(ctx, "play", fmt.Sprintf(`{"game":%q,"move":"7a"}`, game))
				v.call(ctx, "report", fmt.Sprintf(`{"game":%q}`, game))
			}
		}
	}},
	{"exams and disguises of agents", 20, func(ctx context.Context, v *attacker, worker int) {
		for n := worker; ctx.Err() == nil; n += 20 {
			v.call(ctx, "new_game", fmt.Sprintf(`{"rules":"divisibility","disguise":%d}`, n))
			v.call(ctx, "next_item", fmt.Sprintf(`{"items":1000,"seed":%d,"disguise":%d}`, n, n))
			v.call(ctx, "next_item", fmt.Sprintf(`{"items":1000,"rules":"divisibility pool=1-b target=%d"}`, 13+n%9000))
		}
	}},
	{"garbage from agents", 40, func(ctx context.Context, v *attacker, worker int) {
		list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
		garbage := []string{
			"", "{", "[1,2]", "null", `"x"`, strings.Repeat("[", 60_000), strings.Repeat(`{"a":`, 10_000), strings.Repeat("x", 60_000), strings.Repeat("x", 200_000),
			"[" + strings.Repeat(list+",", 1000) + list + "]", list, `{"jsonrpc":"2.0","id":1,"method":"nothing"}`, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
			`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`,
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"` + strings.Repeat("x", 50_000) + `","version":"1"}}}`,
		}
		for n := worker; ctx.Err() == nil; n++ {
			v.ask(ctx, "POST", "/mcp", "", garbage[n%len(garbage)])
			v.ask(ctx, []string{"GET", "DELETE", "PUT", "OPTIONS"}[n%4], "/mcp", "", "")
		}
	}},
}
