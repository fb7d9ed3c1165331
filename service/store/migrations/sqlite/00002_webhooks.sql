-- +goose Up

-- The owner when an invoice was proposed, and whether its PDF is withheld.
ALTER TABLE invoices ADD COLUMN owner_name TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN owner_email TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN content_withheld INTEGER NOT NULL DEFAULT 0;
-- For finding invoices past due in all organizations.
CREATE INDEX invoices_falling_due ON invoices (due_day) WHERE status = 'sent';

-- Responses to proposals with an Idempotency-Key.
CREATE TABLE idempotency_keys (
    org_id      INTEGER NOT NULL REFERENCES organizations(id),
    key         TEXT    NOT NULL,
    fingerprint BLOB    NOT NULL, -- SHA-256 of the request's content
    invoice_id  TEXT    NOT NULL,
    answer      BLOB    NOT NULL, -- the body of the 201, byte for byte
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (org_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);

-- Ids of endpoints and deliveries are never reused: an attempt may outlive its delivery, and its
-- outcome must not be recorded for a later one.
CREATE TABLE webhook_endpoints (
    id                  INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id           TEXT    NOT NULL UNIQUE,
    org_id              INTEGER NOT NULL REFERENCES organizations(id),
    url                 TEXT    NOT NULL,
    event_types         TEXT    NOT NULL, -- blank-separated
    status              TEXT    NOT NULL CHECK (status IN ('active', 'paused', 'auto_disabled')),
    disabled_at         INTEGER,
    disabled_reason     TEXT    NOT NULL DEFAULT '',
    failing_since       INTEGER, -- the first failed attempt since the last success
    secret              BLOB    NOT NULL, -- sealed, as previous_secret is
    previous_secret     BLOB,
    previous_expires_at INTEGER,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_endpoints_by_org ON webhook_endpoints (org_id);

-- The outbox, and what the API lists of it: one row for each event and endpoint. An attempt moves
-- due_at forward by its lease, so that the delivery is due again if its process dies.
CREATE TABLE webhook_deliveries (
    id               INTEGER PRIMARY KEY AUTOINCREMENT,
    public_id        TEXT    NOT NULL,
    endpoint_id      INTEGER NOT NULL REFERENCES webhook_endpoints(id) ON DELETE CASCADE,
    org_id           INTEGER NOT NULL,
    event_sequence   INTEGER NOT NULL,
    event_id         TEXT    NOT NULL,
    event_type       TEXT    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
    held             INTEGER NOT NULL DEFAULT 0, -- pending, and its endpoint is not active
    attempt_count    INTEGER NOT NULL DEFAULT 0, -- attempts begun; only the last may record its outcome
    failure_count    INTEGER NOT NULL DEFAULT 0, -- known to have failed
    due_at           INTEGER CHECK ((due_at IS NOT NULL) = (status = 'pending')),
    last_code        INTEGER NOT NULL DEFAULT 0,
    last_problem     TEXT    NOT NULL DEFAULT '',
    created_at       INTEGER NOT NULL,
    last_attempt_at  INTEGER,
    delivered_at     INTEGER,
    UNIQUE (endpoint_id, event_id),
    FOREIGN KEY (org_id, event_sequence) REFERENCES events (org_id, sequence) ON DELETE CASCADE
) STRICT;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (endpoint_id, id);
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, due_at) WHERE status = 'pending' AND held = 0;
-- For finding the deliveries of an event that is deleted.
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (org_id, event_sequence);
CREATE INDEX webhook_deliveries_held ON webhook_deliveries (endpoint_id) WHERE status = 'pending' AND held = 1;
