// Package assistants runs the official TypeScript clients of the Model Context Protocol against a
// server.
package assistants

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"tarmac/client/assistant"
)

//go:embed client.mjs
var script []byte

// Directory is the environment variable that names a directory with the packages of package.json,
// installed by npm.
const Directory = "TARMAC_ASSISTANTS"

// Clients are the names of the clients: the first major version, the second one, and the second one
// with the newest version of the protocol.
func Clients() []string { return []string{"sdk", "client", "newest"} }

// Answers is what a client got from a server.
type Answers struct {
	Protocol     string // version, if the client says it
	Instructions string
	Names        []string // of the tools
	Asked        []string // questions to the person
	Failures     map[string]string
	Tools        struct {
		Cash         assistant.Cash
		Transactions assistant.Transactions
		Receivables  assistant.Receivables
		Events       assistant.Events
		Spend        assistant.Spend
		Forecast     assistant.Forecast
		Invoices     assistant.Invoices
		Invoice      assistant.Invoice
		Proposed     *assistant.Proposed `json:"propose_invoice"`
	}
	Cancelled string // error of a call that was cancelled
	Resources int
	Resource  assistant.Invoice
	Document  string // first bytes
}

// Run starts a server with a command and uses it through a client. The person answers questions
// with the action reply; "none" is a client that cannot ask. It skips the test if the clients are
// not installed.
func Run(t testing.TB, client, reply string, proposal []byte, command *exec.Cmd) (got Answers) {
	t.Helper()
	installed := os.Getenv(Directory)
	if installed == "" {
		t.Skipf("%s does not name a directory with the clients", Directory)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "client.mjs"), script, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(installed, "node_modules"), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
	arguments := append([]string{"client.mjs", client, reply, string(proposal)}, command.Args...)
	cmd := exec.CommandContext(t.Context(), "node", arguments...)
	cmd.Dir, cmd.Env = dir, command.Env
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("the client %s: %v\n%s%s", client, err, stdout.String(), stderr.String())
	}
	if err := json.Unmarshal(stdout.Bytes(), &got); err != nil {
		t.Fatalf("the client %s: %v in %s", client, err, stdout.String())
	}
	return got
}
