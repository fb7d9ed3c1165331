// Command tarmac is a company's finances in a terminal: a dashboard and the
// service behind it, in one program.
package main

import (
	"context"
	_ "embed"
	"os"
	"os/signal"
	"syscall"

	"tarmac/cli"
	"tarmac/internal/secretstore"
)

// The API's contract. The service serves it; it lies at the root because both
// sides are held to it.
//
//go:embed openapi.yaml
var contract []byte

func main() { os.Exit(run()) }

func run() int {
	// A dropped SSH session sends SIGHUP; without this the process would die with
	// the terminal in raw mode and the demo's files left behind.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A second Ctrl-C ends at once what still finishes its work after the first.
	context.AfterFunc(ctx, func() { signal.Reset(os.Interrupt) })
	surroundings := cli.Process()
	surroundings.Contract = contract
	surroundings.Keyring = secretstore.System(surroundings.Getenv)
	return cli.Run(ctx, surroundings, os.Args[1:])
}
