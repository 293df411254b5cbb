-- Writers of a server of version 6 that still runs are waited for, and then wait.
/*postgres LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE; */

-- Classes. Due is when a server next has to look at one. Code is the seal of the code to join it,
-- or empty.
CREATE TABLE classes (
	id   text /*postgres COLLATE "C" */ NOT NULL PRIMARY KEY,
	due  bigint NOT NULL,
	code text NOT NULL
) /*sqlite WITHOUT ROWID */;
CREATE INDEX classes_due ON classes (due);
CREATE INDEX classes_code ON classes (code, id) WHERE code <> '';

-- The log of every class.
CREATE TABLE class_events (
	class_id text /*postgres COLLATE "C" */ NOT NULL,
	seq      integer NOT NULL,
	at       bigint NOT NULL,
	body     text NOT NULL,
	PRIMARY KEY (class_id, seq)
) /*sqlite WITHOUT ROWID */;

-- The class whose table it is, or empty.
ALTER TABLE tables ADD COLUMN class text NOT NULL DEFAULT '';

-- A server of version 6 knows nothing of it: without a default it cannot write rows that lack it.
/*postgres ALTER TABLE tables ALTER COLUMN class DROP DEFAULT; */
