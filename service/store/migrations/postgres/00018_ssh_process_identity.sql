-- +goose Up

-- Names the process for other processes of the same machine, which then see at once that it was
-- killed (package processes); '' if it is not known.
ALTER TABLE ssh_processes ADD COLUMN identity TEXT NOT NULL DEFAULT '';
