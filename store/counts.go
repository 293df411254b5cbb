package store

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"

	"digitduel/match"
)

// A kindOfGame is a group of finished games that are counted together.
type kindOfGame struct{ book, score, reason string }

// An endedGame is a finished game to be counted.
type endedGame struct {
	kindOfGame
	plies int
}

// countParts is the largest number of rows for one kind of game.
const countParts = 16

// partOf returns the row to which a server adds.
func partOf(server string) int {
	h := fnv.New32a()
	h.Write([]byte(server))
	return int(h.Sum32() % countParts)
}

const (
	addCount = "INSERT INTO counts (book, score, reason, part, games, plies) " +
		"VALUES ($1, $2, $3, $4, $5, $6)" + addToCount
	addToCount = " ON CONFLICT (book, score, reason, part) DO UPDATE " +
		"SET games = counts.games + excluded.games, plies = counts.plies + excluded.plies"
)

// dropCounts subtracts the games of some tables from the counts. The list of tables is inserted.
const dropCounts = `INSERT INTO counts (book, score, reason, part, games, plies)
SELECT book, score, reason, 0, -count(*), -sum(plies) FROM games WHERE table_id IN (%s)
GROUP BY book, score, reason ORDER BY book, score, reason` + addToCount

// badCounts finds the kinds of games whose counts differ from the games.
const badCounts = `SELECT book, score, reason, sum(games), sum(plies) FROM (
SELECT book, score, reason, games, plies FROM counts
UNION ALL SELECT book, score, reason, -1, -plies FROM games
) AS both_of_them GROUP BY book, score, reason HAVING sum(games) <> 0 OR sum(plies) <> 0
ORDER BY book, score, reason`

// derivedOf returns the statements that write the data derived from events that were added, and
// the notices of the events. Games are counted by one statement for each kind, in a fixed order, so
// that two servers cannot deadlock.
func derivedOf(added []*entry, part int) (all []statement, news []match.Notice) {
	games, plies := map[kindOfGame]int{}, map[kindOfGame]int{}
	for _, e := range added {
		all = append(all, e.derived...)
		news = append(news, match.Notice{Table: e.table, Seq: e.seq})
		if e.ended != nil {
			games[e.ended.kindOfGame]++
			plies[e.ended.kindOfGame] += e.ended.plies
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(games), func(a, b kindOfGame) int {
		return cmp.Or(cmp.Compare(a.book, b.book),
			cmp.Compare(a.score, b.score), cmp.Compare(a.reason, b.reason))
	}) {
		args := []any{k.book, k.score, k.reason, part, games[k], plies[k]}
		all = append(all, statement{addCount, args})
	}
	return all, news
}
