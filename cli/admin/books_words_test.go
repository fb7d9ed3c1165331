package admin_test

import "testing"

// Operators are sent to commands that work on the database of the service.
func TestUsageOfBooksNamesTheCommandsOfOperators(t *testing.T) {
	o := newOperated(t)

	o.refused(2, "from `tarmac admin books imports`", "books", "undo", "--org", o.org)
	o.refused(2, "from `tarmac admin books questions`", "books", "questions", "answer", "--org", o.org)
	o.refused(2, "from `tarmac admin books transfers`", "books", "transfers", "accept", "--org", o.org)
}
