-- Writers of a server of version 1 that still runs are waited for, and then wait.
/*postgres LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE; */

-- What else was agreed before the first game. Old rows are filled from the first event of their table.
ALTER TABLE tables ADD COLUMN starts     integer NOT NULL DEFAULT 0; -- the seat
ALTER TABLE tables ADD COLUMN on_timeout text NOT NULL DEFAULT 'lose';
ALTER TABLE tables ADD COLUMN hints      integer NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN auto_call  integer NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN targets    text NOT NULL DEFAULT '';

-- A server of version 1 knows nothing of these, nor of counts below: without a default it cannot write rows that lack them.
/*postgres ALTER TABLE tables ALTER COLUMN starts DROP DEFAULT, ALTER COLUMN on_timeout DROP DEFAULT, ALTER COLUMN hints DROP DEFAULT, ALTER COLUMN auto_call DROP DEFAULT, ALTER COLUMN targets DROP DEFAULT; */

-- Whether lists show a game; one by invitation is its players' own. Old rows are filled from the first event of their table too.
ALTER TABLE games ADD COLUMN public integer NOT NULL DEFAULT 1;
/*postgres ALTER TABLE games ALTER COLUMN public DROP DEFAULT; */

DROP INDEX tables_changed;
DROP INDEX tables_listed;
-- fill
-- Tables are looked for by whether they are listed and by phase: those that are finished, or nobody else's business, are many.
CREATE INDEX tables_listed ON tables (listed, phase, changed);

-- How many games there are of each kind. The rows of one kind are summed up: each server adds to one of a few, so that servers
-- seldom wait for each other.
CREATE TABLE counts (
	book   text NOT NULL,
	score  text NOT NULL,
	reason text NOT NULL,
	part   integer NOT NULL,
	games  bigint NOT NULL,
	plies  bigint NOT NULL,
	PRIMARY KEY (book, score, reason, part)
);
INSERT INTO counts (book, score, reason, part, games, plies) SELECT book, score, reason, 0, count(*), sum(plies) FROM games GROUP BY book, score, reason;
DROP INDEX games_counts;

-- Games are listed by when they ended, and those of one moment by table and number. SQLite has the key of a row in every index.
DROP INDEX games_ended;
DROP INDEX games_book;
CREATE INDEX games_ended ON games (ended/*postgres , table_id, number*/) WHERE public = 1;
CREATE INDEX games_book ON games (book, ended/*postgres , table_id, number*/) WHERE public = 1;

CREATE INDEX uptime_until ON uptime (until);
