-- Writers of a server of version 5 that still runs are waited for, and then wait.
/*postgres LOCK TABLE events IN SHARE ROW EXCLUSIVE MODE; */

-- Games against the computer, and of two people on one device, are private until they are published.
-- fill
