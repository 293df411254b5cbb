-- Writers of a server of version 4 that still runs are waited for, and then wait.
/*postgres LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE; */

-- The terms of a table, as JSON. Old rows are filled from the first event of their table.
ALTER TABLE tables ADD COLUMN terms text NOT NULL DEFAULT '{}';
-- fill
-- A server of version 4 knows nothing of it: without a default it cannot write rows that lack it.
/*postgres ALTER TABLE tables ALTER COLUMN terms DROP DEFAULT; */

ALTER TABLE tables DROP COLUMN best_of;
ALTER TABLE tables DROP COLUMN turn_time;
ALTER TABLE tables DROP COLUMN on_timeout;
ALTER TABLE tables DROP COLUMN hints;
ALTER TABLE tables DROP COLUMN auto_call;
ALTER TABLE tables DROP COLUMN targets;
ALTER TABLE tables DROP COLUMN pair;
ALTER TABLE tables DROP COLUMN swap;
