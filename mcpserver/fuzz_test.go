package mcpserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"tarmac/mcpserver"
)

// FuzzLines sends any bytes, and then a request. Each line of the output must be a message, the
// request must be answered, and the session must end without an error.
func FuzzLines(f *testing.F) {
	for _, seed := range []string{
		"", "hello\n\r\n \n", "\xff\xfe{\x00}", `"id":1}`, `{"jsonrpc":"2.0","id":1,`, strings.Repeat("[", 100),
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"cash","arguments":{}}}` + "\n" +
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`,
		`{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":2,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"clientInfo":{"name":"test","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"tarmac://invoices/x"}}`,
	} {
		f.Add([]byte(seed))
	}
	const last = "the last request"
	server := mcpserver.New(options(nil))
	f.Fuzz(func(t *testing.T, input []byte) {
		in := io.MultiReader(bytes.NewReader(input),
			strings.NewReader("\n"+`{"jsonrpc":"2.0","id":"`+last+`","method":"ping"}`+"\n"))
		blocked, unblock := io.Pipe() // keeps the input open until the answer has come
		out, toClient := io.Pipe()
		ended := make(chan error, 1)
		go func() { ended <- mcpserver.Serve(t.Context(), server, io.MultiReader(in, blocked), toClient) }()
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 8<<20)
		for {
			if !lines.Scan() {
				t.Fatalf("the output ended: %v", lines.Err())
			}
			var message struct {
				Version string `json:"jsonrpc"`
				ID      any    `json:"id"`
			}
			if err := json.Unmarshal(lines.Bytes(), &message); err != nil || message.Version != "2.0" {
				t.Fatalf("%v: %q is not a message", err, lines.Text())
			}
			if message.ID == last {
				break
			}
		}
		go func() { _, _ = io.Copy(io.Discard, out) }()
		if err := unblock.Close(); err != nil {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			t.Errorf("the session ended with %v", err)
		}
		toClient.Close()
	})
}
