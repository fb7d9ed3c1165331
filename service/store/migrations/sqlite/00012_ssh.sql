-- +goose Up

-- Public keys with which people open an organization's dashboard over SSH.
CREATE TABLE ssh_keys (
    id           INTEGER PRIMARY KEY,
    public_id    TEXT    NOT NULL UNIQUE,
    org_id       INTEGER NOT NULL REFERENCES organizations(id),
    fingerprint  TEXT    NOT NULL, -- 'SHA256:…', as OpenSSH prints it
    algorithm    TEXT    NOT NULL,
    public_key   BLOB    NOT NULL, -- in SSH's wire format
    name         TEXT    NOT NULL, -- of the person
    login        TEXT    NOT NULL, -- user name that chooses this organization; '' if there is none
    scopes       TEXT    NOT NULL, -- blank-separated
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    revoked_at   INTEGER,
    last_used_at INTEGER
) STRICT;
CREATE INDEX ssh_keys_by_org ON ssh_keys (org_id);
CREATE UNIQUE INDEX ssh_keys_by_fingerprint ON ssh_keys (fingerprint, org_id) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX ssh_keys_by_login ON ssh_keys (fingerprint, login) WHERE revoked_at IS NULL AND login <> '';

-- Sessions over SSH, for audits.
CREATE TABLE ssh_sessions (
    id         INTEGER PRIMARY KEY,
    public_id  TEXT    NOT NULL UNIQUE,
    org_id     INTEGER NOT NULL REFERENCES organizations(id),
    key_id     INTEGER NOT NULL REFERENCES ssh_keys(id),
    process    TEXT    NOT NULL, -- names the process that serves the session
    remote     TEXT    NOT NULL, -- address and port of the client
    client     TEXT    NOT NULL, -- the client's version
    began_at   INTEGER NOT NULL,
    seen_at    INTEGER NOT NULL, -- last time at which the process wrote that the session is open, or its end
    ended_at   INTEGER,
    end_reason TEXT    NOT NULL DEFAULT '',
    proposed   INTEGER NOT NULL DEFAULT 0 -- number of proposed invoices
) STRICT;
CREATE INDEX ssh_sessions_by_org ON ssh_sessions (org_id, id);
CREATE INDEX ssh_sessions_by_age ON ssh_sessions (began_at);
CREATE INDEX ssh_sessions_open ON ssh_sessions (process) WHERE ended_at IS NULL;

-- Drafts, scenarios and filters of the people who use the dashboard over SSH.
CREATE TABLE ssh_documents (
    org_id   INTEGER NOT NULL REFERENCES organizations(id),
    key_id   INTEGER NOT NULL REFERENCES ssh_keys(id),
    name     TEXT    NOT NULL,
    content  BLOB    NOT NULL,
    saved_at INTEGER NOT NULL,
    PRIMARY KEY (key_id, name)
) STRICT, WITHOUT ROWID;

-- Names of documents that sessions have reserved. A row is valid while its session is open.
CREATE TABLE ssh_document_claims (
    key_id  INTEGER NOT NULL REFERENCES ssh_keys(id),
    name    TEXT    NOT NULL,
    session TEXT    NOT NULL, -- the session's public id
    PRIMARY KEY (key_id, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX ssh_document_claims_by_session ON ssh_document_claims (session);
