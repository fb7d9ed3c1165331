// Command tarmac shows a company's finances in a terminal. It contains a dashboard and the
// service behind it.
package main

import (
	_ "embed"
	"os"

	"tarmac/cli"
)

// contract is the API's contract, which the service serves. It lies at the root because both
// service and client implement it.
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
