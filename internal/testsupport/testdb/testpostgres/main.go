// Starts a PostgreSQL server for tests, prints its URL, and stops it when standard input ends.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"tarmac/internal/testsupport/testdb"
)

func main() {
	server, stop, err := testdb.Launch(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(server.URL())
	_, _ = io.Copy(io.Discard, os.Stdin)
	stop()
}
