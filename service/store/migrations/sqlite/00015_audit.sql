-- +goose Up

-- Changes by people and programs. A line is committed before its change, and its outcome with it.
CREATE TABLE audit (
    id      INTEGER PRIMARY KEY AUTOINCREMENT,
    org_id  INTEGER REFERENCES organizations (id), -- NULL if it concerns no organization or all of them
    at      INTEGER NOT NULL,
    actor   TEXT    NOT NULL, -- who: of admin "user@host", of ssh the key, of api the token
    way     TEXT    NOT NULL, -- admin, ssh, api or local
    action  TEXT    NOT NULL, -- command or operation
    target  TEXT    NOT NULL, -- id of the changed record, or empty
    address TEXT    NOT NULL, -- of the caller, or empty
    outcome TEXT    NOT NULL  -- attempted, done, failed or partly
) STRICT;

CREATE INDEX audit_by_time ON audit (at);
CREATE INDEX audit_by_organization ON audit (org_id, id);
