//go:build unix

package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
)

// assistantProcess is `tarmac mcp` in a process of its own, and all that it has written.
type assistantProcess struct {
	t      testing.TB
	in     io.WriteCloser
	out    *bufio.Scanner
	stdout strings.Builder
	stderr bytes.Buffer
	wait   func() error
	number int
}

func startAssistant(t testing.TB, environ []string, flags ...string) *assistantProcess {
	t.Helper()
	a := &assistantProcess{t: t}
	cmd := program(t, environ, append([]string{"mcp"}, flags...)...)
	cmd.Stderr = &a.stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	a.in, a.out, a.wait = in, bufio.NewScanner(io.TeeReader(out, &a.stdout)), cmd.Wait
	a.out.Buffer(nil, 4<<20)
	a.request("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
	a.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return a
}

func (a *assistantProcess) say(line string) {
	a.t.Helper()
	if _, err := io.WriteString(a.in, line+"\n"); err != nil {
		a.t.Fatal(err)
	}
}

// request sends a request and returns the line of its response.
func (a *assistantProcess) request(method, params string) string {
	a.t.Helper()
	a.number++
	id, err := json.Marshal(a.number)
	if err != nil {
		a.t.Fatal(err)
	}
	a.say(`{"jsonrpc":"2.0","method":"` + method + `","params":` + params + `,"id":` + string(id) + `}`)
	if !a.out.Scan() {
		a.t.Fatalf("no response to %s: %v; %s", method, a.out.Err(), a.stderr.String())
	}
	return a.out.Text()
}

// tool calls a tool and returns the text of its result.
func (a *assistantProcess) tool(name, arguments string) (text string, isError bool) {
	a.t.Helper()
	var r struct {
		Result struct {
			Content []struct{ Text string }
			IsError bool
		}
	}
	line := a.request("tools/call", `{"name":"`+name+`","arguments":`+arguments+`}`)
	if err := json.Unmarshal([]byte(line), &r); err != nil || len(r.Result.Content) != 1 {
		a.t.Fatalf("%v: the result of %s is %s", err, name, line)
	}
	return r.Result.Content[0].Text, r.Result.IsError
}

// end closes the input. It fails the test unless the process ends with success and has written
// nothing but messages.
func (a *assistantProcess) end() {
	a.t.Helper()
	if err := a.in.Close(); err != nil {
		a.t.Fatal(err)
	}
	for a.out.Scan() {
	}
	if err := a.wait(); err != nil {
		a.t.Errorf("the process ended with %v: %s", err, a.stderr.String())
	}
	lines := 0
	for line := range strings.Lines(a.stdout.String()) {
		lines++
		var message struct {
			Version string `json:"jsonrpc"`
		}
		if err := json.Unmarshal([]byte(line), &message); err != nil || message.Version != "2.0" {
			a.t.Errorf("standard output has a line that is no message: %q", line)
		}
	}
	if lines < a.number {
		a.t.Errorf("%d lines for %d requests", lines, a.number)
	}
}

func TestAnAssistantIsAnsweredAndNothingElseIsWritten(t *testing.T) {
	t.Parallel()
	database, _, tokenFile := organization(t, "900", readScopes)
	server := serve(t, database, "127.0.0.1:0")
	a := startAssistant(t, nil, "--base-url", "http://"+server.addr, "--token-file", tokenFile, "--timeout", "5s")

	for tool, arguments := range map[string]string{
		"cash": "{}", "transactions": `{"period":"last month"}`, "invoices": "{}", "receivables": "{}", "events": "{}",
		"spend": "{}", "forecast": "{}", "overview": "{}",
	} {
		if text, failed := a.tool(tool, arguments); failed || !strings.Contains(text, "cents") && tool != "events" {
			t.Errorf("%s: %s", tool, text)
		}
	}
	server.kill()
	text, failed := a.tool("cash", "{}")
	if !failed || !strings.Contains(text, "The server cannot be reached.") {
		t.Errorf("a server that is away: %s", text)
	}
	a.end()

	token, err := os.ReadFile(tokenFile)
	if err != nil {
		t.Fatal(err)
	}
	if said := a.stdout.String() + a.stderr.String(); holds(said, strings.TrimSpace(string(token))) {
		t.Error("the token was written")
	}
	if a.stderr.Len() > 0 {
		t.Errorf("standard error has %q", a.stderr.String())
	}
}

func TestAnAssistantReadsOwnBooks(t *testing.T) {
	environ := []string{"XDG_DATA_HOME=" + t.TempDir()}
	imported := program(t, environ, "import", "--yes", statementFile(t, "september.qfx", rentLine))
	if out, err := imported.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	a := startAssistant(t, environ)

	text, failed := a.tool("transactions", `{"search":"landlord"}`)

	if failed || !strings.Contains(text, `"untrusted_text":"Landlord"`) {
		t.Errorf("the transactions are %s", text)
	}
	a.end()
}

func TestTheAssistantCommandRefusesBeforeItsFirstMessage(t *testing.T) {
	for says, args := range map[string][]string{
		"tarmac login":               nil,
		"unknown flag: --frobnicate": {"--frobnicate"},
		"takes no arguments":         {"now"},
		"not available in read-only": {"--allow-propose", "--read-only", "--token-file", privateFile(t, "svc_org_x"),
			"--base-url", "http://127.0.0.1:1"},
		"--timeout must be greater": {"--timeout", "0s"},
		"nowhere":                   {"--token-file", "nowhere", "--base-url", "https://finance.example.com"},
		"must begin with https://":  {"--token-file", privateFile(t, "svc_org_x"), "--base-url", "http://a.example"},
	} {
		r := tarmac(t, nil, append([]string{"mcp"}, args...)...)
		if r.code == 0 || r.stdout != "" || !strings.Contains(r.stderr, says) {
			t.Errorf("%v: exit %d, %q, %q", args, r.code, r.stdout, r.stderr)
		}
	}
}
