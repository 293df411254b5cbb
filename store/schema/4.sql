-- Exams that somebody sits: what is asked is up to whoever asks. Changed is when it was opened or last answered.
CREATE TABLE sittings (
	id       text /*postgres COLLATE "C" */ NOT NULL PRIMARY KEY,
	exam     text NOT NULL,
	items    integer NOT NULL,
	answered integer NOT NULL,
	changed  bigint NOT NULL
) /*sqlite WITHOUT ROWID */;
CREATE INDEX sittings_open ON sittings (changed) WHERE answered < items;
CREATE INDEX sittings_done ON sittings (changed) WHERE answered = items;

-- The first answer to each item; there is no other.
CREATE TABLE answers (
	sitting text /*postgres COLLATE "C" */ NOT NULL,
	item    integer NOT NULL,
	at      bigint NOT NULL,
	answer  text NOT NULL,
	PRIMARY KEY (sitting, item)
) /*sqlite WITHOUT ROWID */;
