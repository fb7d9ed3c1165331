package httpapi

import (
	"net/http"
	"strconv"

	"tarmac/service/access"
)

// booksRevision is no operation of the API: dashboards ask it, at short intervals, whether to fetch
// an organization's figures again (docs/api.md, Revision of own books). It costs one look-up of the
// token, which every request needs.
var booksRevision = operation{
	Operation: Operation{
		ID: "getBooksRevision", Method: http.MethodGet, Path: "/api/books/v1/revision", Scope: access.None,
	},
	handle: getBooksRevision,
}

type revisionResponse struct {
	Revision string `json:"revision"`
}

// getBooksRevision responds with a text that changes with the organization's books.
func getBooksRevision(c *call) (any, error) {
	if err := c.noQuery(); err != nil {
		return nil, err
	}
	return revisionResponse{strconv.FormatInt(c.credential.BooksRevision, 10)}, nil
}
