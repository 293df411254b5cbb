-- Times are microseconds since 1970, in UTC. Truths are 0 or 1. What only one kind of database can be told is in a comment
-- that begins with its name, and is read there as if it were none.

-- The log of every table.
CREATE TABLE events (
	table_id text /*postgres COLLATE "C" */ NOT NULL,
	seq      integer NOT NULL,
	at       bigint NOT NULL,
	body     text NOT NULL,
	PRIMARY KEY (table_id, seq)
) /*sqlite WITHOUT ROWID */;

-- What lists show of a table, and when the time of its turn runs out (NULL: no clock runs). Names and levels are by seat.
CREATE TABLE tables (
	id        text /*postgres COLLATE "C" */ NOT NULL PRIMARY KEY,
	rules     text NOT NULL,
	book      text NOT NULL,
	best_of   integer NOT NULL,
	turn_time bigint NOT NULL, -- nanoseconds
	listed    integer NOT NULL,
	opened    bigint NOT NULL,
	changed   bigint NOT NULL, -- may lag behind plain moves
	phase     text NOT NULL,
	name1     text NOT NULL,
	name2     text NOT NULL,
	level1    text NOT NULL,
	level2    text NOT NULL,
	game      integer NOT NULL,
	wins1     integer NOT NULL,
	wins2     integer NOT NULL,
	draws     integer NOT NULL,
	deadline  bigint
) /*sqlite WITHOUT ROWID */;
CREATE INDEX tables_changed ON tables (changed);
CREATE INDEX tables_listed ON tables (phase, changed) WHERE listed = 1;
CREATE INDEX tables_deadline ON tables (deadline) WHERE deadline IS NOT NULL;

-- Games that are over. Names and levels are by side.
CREATE TABLE games (
	table_id text /*postgres COLLATE "C" */ NOT NULL,
	number   integer NOT NULL,
	record   text NOT NULL,
	book     text NOT NULL,
	score    text NOT NULL,
	reason   text NOT NULL,
	plies    integer NOT NULL,
	name1    text NOT NULL,
	name2    text NOT NULL,
	level1   text NOT NULL,
	level2   text NOT NULL,
	ended    bigint NOT NULL,
	PRIMARY KEY (table_id, number)
) /*sqlite WITHOUT ROWID */;
CREATE INDEX games_ended ON games (ended);
CREATE INDEX games_book ON games (book, ended);
CREATE INDEX games_counts ON games (book, score, reason, plies);

-- When servers were up: one row for each stretch of time without a gap.
CREATE TABLE uptime (
	server text NOT NULL,
	since  bigint NOT NULL,
	until  bigint NOT NULL,
	PRIMARY KEY (server, since)
);

-- Who is at which table at which server. It is not worth a write-ahead log: after a crash the servers tell it again.
CREATE /*postgres UNLOGGED */ TABLE presence (
	table_id text /*postgres COLLATE "C" */ NOT NULL,
	server   text NOT NULL,
	seat1    integer NOT NULL,
	seat2    integer NOT NULL,
	watchers integer NOT NULL,
	PRIMARY KEY (table_id, server)
);

-- Single facts by name.
CREATE TABLE meta (
	name  text PRIMARY KEY,
	value text NOT NULL
);
