-- +goose Up

-- Processes that serve the dashboard over SSH. ssh_sessions.process is the id of one of them.
CREATE TABLE ssh_processes (
    id       TEXT   NOT NULL PRIMARY KEY, -- random
    host     TEXT   NOT NULL, -- name of the machine
    address  TEXT   NOT NULL, -- on which the process listens
    host_key TEXT   NOT NULL, -- fingerprint of the key by which clients recognize the process
    began_at BIGINT NOT NULL,
    seen_at  BIGINT NOT NULL, -- last time at which the process wrote that it runs, or its end
    ended_at BIGINT
);

-- A login looks for revoked keys, too: their user names still name an organization.
CREATE INDEX ssh_keys_by_public_key ON ssh_keys (fingerprint);
