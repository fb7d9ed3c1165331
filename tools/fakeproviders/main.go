// Command fakeproviders runs fakes of the providers behind a stand-in for the internet, to try
// tarmac by hand: connect, sync, and see what a bad day looks like.
//
//	go run ./tools/fakeproviders
//
// It prints the environment variables with which tarmac reaches the fakes, and a token for each
// provider. Then it reads commands from standard input; the command help lists them. At the end of
// standard input it goes on until it is interrupted.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"tarmac/internal/testsupport/providers/internet"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "fakeproviders:", err)
		os.Exit(1)
	}
}

// run runs the fakes and the commands from stdin until ctx ends or the command quit is read.
func run(ctx context.Context, stdin io.Reader, stdout io.Writer) (err error) {
	online, err := internet.New()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, online.Close()) }()
	dir, err := os.MkdirTemp("", "fakeproviders")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	environment, err := online.Environment(filepath.Join(dir, "authority.pem"))
	if err != nil {
		return err
	}
	for _, variable := range environment {
		fmt.Fprintln(stdout, "export", variable)
	}
	sites := fakes(time.Now)
	for _, s := range sites {
		online.Handle(s.host, s.faults)
		fmt.Fprintf(stdout, "# %s: %s\n", s.name, s.token())
	}
	lines := make(chan string)
	go readLines(ctx, stdin, lines)
	for {
		select {
		case <-ctx.Done():
			return nil
		case line, open := <-lines:
			if !open {
				<-ctx.Done()
				return nil
			}
			if strings.TrimSpace(line) == "quit" {
				return nil
			}
			fmt.Fprintln(stdout, carryOut(sites, line))
		}
	}
}

// readLines sends the lines of a reader until it ends.
func readLines(ctx context.Context, from io.Reader, to chan<- string) {
	defer close(to)
	for scanner := bufio.NewScanner(from); scanner.Scan(); {
		select {
		case to <- scanner.Text():
		case <-ctx.Done():
			return
		}
	}
}
