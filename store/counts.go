package store

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
)

// A kindOfGame is a group of finished games that are counted together.
type kindOfGame struct{ book, score, reason string }

// A tally counts finished games of one kind.
type tally struct {
	kindOfGame
	games, plies int
}

// countParts is the largest number of rows for one kind of game.
const countParts = 16

// partOf returns the row to which a server adds.
func partOf(server string) int {
	h := fnv.New32a()
	h.Write([]byte(server))
	return int(h.Sum32() % countParts)
}

const addCount = `INSERT INTO counts (book, score, reason, part, games, plies)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (book, score, reason, part) DO UPDATE
SET games = counts.games + excluded.games, plies = counts.plies + excluded.plies`

// dropCounts subtracts the games of some tables from the counts. The list of tables is inserted.
const dropCounts = `INSERT INTO counts (book, score, reason, part, games, plies)
SELECT book, score, reason, 0, -count(*), -sum(plies) FROM games WHERE table_id IN (%s)
GROUP BY book, score, reason ORDER BY book, score, reason
ON CONFLICT (book, score, reason, part) DO UPDATE
SET games = counts.games + excluded.games, plies = counts.plies + excluded.plies`

// badCounts finds the kinds of games whose counts differ from the games.
const badCounts = `SELECT book, score, reason, sum(games), sum(plies) FROM (
SELECT book, score, reason, games, plies FROM counts
UNION ALL SELECT book, score, reason, -1, -plies FROM games
) AS both_of_them GROUP BY book, score, reason HAVING sum(games) <> 0 OR sum(plies) <> 0
ORDER BY book, score, reason`

// countStatements returns the statements that count the games that ended with the stored events of
// a group: one for each kind, in a fixed order, so that two servers cannot deadlock.
func countStatements(group []*entry, isKept func(*entry) bool, part int) (all []statement) {
	sums := map[kindOfGame]tally{}
	for _, e := range group {
		if e.ended != nil && isKept(e) {
			kind := e.ended.kindOfGame
			sum := sums[kind]
			sums[kind] = tally{kind, sum.games + e.ended.games, sum.plies + e.ended.plies}
		}
	}
	for _, t := range slices.SortedFunc(maps.Values(sums), func(a, b tally) int {
		return cmp.Or(cmp.Compare(a.book, b.book),
			cmp.Compare(a.score, b.score), cmp.Compare(a.reason, b.reason))
	}) {
		args := []any{t.book, t.score, t.reason, part, t.games, t.plies}
		all = append(all, statement{addCount, args})
	}
	return all
}
