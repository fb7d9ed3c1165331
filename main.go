// Command tarmac is a company's finances in a terminal: a dashboard and the
// service behind it, in one program.
package main

import (
	_ "embed"
	"os"

	"tarmac/cli"
)

// The API's contract. The service serves it; it lies at the root because both
// sides are held to it.
//
//go:embed openapi.yaml
var contract []byte

func main() { os.Exit(run()) }

func run() int {
	ctx, stop := cli.UntilSignal()
	defer stop()
	env := cli.Process()
	env.Contract = contract
	return cli.Run(ctx, env, os.Args[1:])
}
