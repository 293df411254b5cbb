-- Writers of a server of version 2 that still runs are waited for, and then wait.
/*postgres LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE; */

-- How a table makes its games fairer. Tables of before had nothing of this.
ALTER TABLE tables ADD COLUMN pair     integer NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN swap     integer NOT NULL DEFAULT 0;
ALTER TABLE tables ADD COLUMN openings text NOT NULL DEFAULT '';

-- A server of version 2 knows nothing of these: without a default it cannot write rows that lack them.
/*postgres ALTER TABLE tables ALTER COLUMN pair DROP DEFAULT, ALTER COLUMN swap DROP DEFAULT, ALTER COLUMN openings DROP DEFAULT; */
