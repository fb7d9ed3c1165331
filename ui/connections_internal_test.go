package ui

import (
	"context"
	"testing"
)

// A person over SSH may change between organizations for days.
func TestAClosedConnectionIsForgotten(t *testing.T) {
	var c connections
	closed := 0
	open := func() Connection {
		t.Helper()
		connection, err := c.make(t.Context(), func(context.Context) (Connection, error) {
			return Connection{Close: func() { closed++ }}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return connection
	}
	open()
	for range 3 {
		connection := open()
		c.end(connection)
		c.end(connection)
	}

	if len(c.open) != 1 || closed != 3 {
		t.Errorf("%d connections are kept, and %d were closed", len(c.open), closed)
	}
	c.close()
	if len(c.open) != 0 || closed != 4 {
		t.Errorf("at the end, %d connections are kept, and %d were closed", len(c.open), closed)
	}
}
