package store

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
)

// A kindOfGame is what finished games are counted by.
type kindOfGame struct{ book, score, reason string }

// A tally is a finished game of a kind, or several.
type tally struct {
	kindOfGame
	games, plies int
}

// countParts is how many rows there are for one kind of game at the most.
const countParts = 16

// partOf returns to which of them a server adds.
func partOf(server string) int {
	h := fnv.New32a()
	h.Write([]byte(server))
	return int(h.Sum32() % countParts)
}

const addCount = `INSERT INTO counts (book, score, reason, part, games, plies) VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (book, score, reason, part) DO UPDATE SET games = counts.games + excluded.games, plies = counts.plies + excluded.plies`

// dropCounts takes games of some tables out of the counts; the list of the tables follows.
const dropCounts = `INSERT INTO counts (book, score, reason, part, games, plies)
SELECT book, score, reason, 0, -count(*), -sum(plies) FROM games WHERE table_id IN (%s) GROUP BY book, score, reason ORDER BY book, score, reason
ON CONFLICT (book, score, reason, part) DO UPDATE SET games = counts.games + excluded.games, plies = counts.plies + excluded.plies`

// miscounted finds the kinds of games of which the counts have too many, or too few.
const miscounted = `SELECT book, score, reason, sum(games), sum(plies) FROM (
	SELECT book, score, reason, games, plies FROM counts UNION ALL SELECT book, score, reason, -1, -plies FROM games
) AS both_of_them GROUP BY book, score, reason HAVING sum(games) <> 0 OR sum(plies) <> 0 ORDER BY book, score, reason`

// countStatements returns what counts the games that ended with the events of a group that are kept: one statement for each kind, in a fixed
// order, so that of two servers one waits for the other, and not each for each.
func countStatements(group []*entry, isKept func(*entry) bool, part int) (all []statement) {
	sums := map[kindOfGame]tally{}
	for _, e := range group {
		if e.ended != nil && isKept(e) {
			sum := sums[e.ended.kindOfGame]
			sums[e.ended.kindOfGame] = tally{e.ended.kindOfGame, sum.games + e.ended.games, sum.plies + e.ended.plies}
		}
	}
	for _, t := range slices.SortedFunc(maps.Values(sums), func(a, b tally) int {
		return cmp.Or(cmp.Compare(a.book, b.book), cmp.Compare(a.score, b.score), cmp.Compare(a.reason, b.reason))
	}) {
		all = append(all, statement{addCount, []any{t.book, t.score, t.reason, part, t.games, t.plies}})
	}
	return all
}
