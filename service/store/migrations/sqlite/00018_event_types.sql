-- +goose Up

-- A reading of a provider that changes the books has no event any more. Events that are stored stay,
-- because a client may name one as starting_after; they are left out wherever events are read.
DELETE FROM webhook_deliveries WHERE event_type = 'books.synced';

-- An endpoint that subscribed to nothing else is paused. Its type is then the one that every
-- endpoint receives.
UPDATE webhook_endpoints SET event_types = 'test.event',
        status = CASE status WHEN 'active' THEN 'paused' ELSE status END
    WHERE event_types IN ('books.synced', 'books.synced test.event', 'test.event books.synced');
UPDATE webhook_endpoints SET event_types = trim(replace(' ' || event_types || ' ', ' books.synced ', ' '))
    WHERE ' ' || event_types || ' ' LIKE '% books.synced %';

-- Banks of a connection at which a person has to sign in again, one a line; the largest number of
-- accounts that a window of the history lacked; and the process that has claimed the connection.
ALTER TABLE connections ADD COLUMN sign_in TEXT NOT NULL DEFAULT '';
ALTER TABLE connections ADD COLUMN history_lacks INTEGER NOT NULL DEFAULT 0;
ALTER TABLE connections ADD COLUMN lease_holder TEXT NOT NULL DEFAULT '';
