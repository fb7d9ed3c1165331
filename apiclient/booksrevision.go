package apiclient

import (
	"context"
	"errors"
)

// BooksRevision returns a text that changes with the organization's own books (docs/api.md,
// Revision of own books). It is no operation of the API: a server that does not have it, or answers
// with something else, has no own books, and BooksRevision returns "" without an error.
func (c *Client) BooksRevision(ctx context.Context) (string, error) {
	call := read("/api/books/v1/revision", nil)
	call.beside = true
	revision, err := fetch(ctx, c, call, func(r *revisionJSON, f *fields) string { return f.text("revision", r.Revision) })
	var status *Error
	switch {
	case err == nil:
		return *revision, nil
	case errors.As(err, &status) && status.Status >= 500,
		errors.Is(err, ErrUnauthorized), errors.Is(err, ErrRateLimited), errors.Is(err, ErrNetwork):
		return "", err
	}
	return "", nil
}

type revisionJSON struct {
	Revision *string `json:"revision"`
}
