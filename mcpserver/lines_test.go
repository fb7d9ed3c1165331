package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"

	"tarmac/mcpserver"
)

// reply is a line of a server's output.
type reply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"` // of a request of the server
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// conversation writes lines to a server and reads its replies.
type conversation struct {
	t testing.TB
	pipes
	lines *bufio.Reader
}

func converse(t testing.TB) *conversation { return converseWith(t, serve(t, options(nil))) }

func converseWith(t testing.TB, p pipes) *conversation { return converseAs(t, p, "{}") }

// converseAs begins a session of a client that has the capabilities.
func converseAs(t testing.TB, p pipes, capabilities string) *conversation {
	t.Helper()
	c := &conversation{t, p, bufio.NewReader(p.out)}
	c.say(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` +
		capabilities + `,"clientInfo":{"name":"test","version":"1"}}}`)
	if r := c.next(); r.Error != nil {
		t.Fatal(r.Error)
	}
	c.say(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return c
}

func (c *conversation) say(line string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		c.t.Fatal(err)
	}
}

func (c *conversation) next() (r reply) {
	c.t.Helper()
	line, err := c.lines.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil || r.Version != "2.0" {
		c.t.Fatalf("%q is not a message of the protocol: %v", line, err)
	}
	return r
}

// answer returns the next response. It ignores messages of the server's own.
func (c *conversation) answer() reply {
	c.t.Helper()
	for {
		if r := c.next(); r.Method == "" {
			return r
		}
	}
}

// lives fails the test if the server no longer answers.
func (c *conversation) lives() {
	c.t.Helper()
	c.say(`{"jsonrpc":"2.0","id":"still there","method":"ping"}`)
	if r := c.answer(); string(r.ID) != `"still there"` || r.Error != nil {
		c.t.Fatalf("the answer to a ping is %s %+v", r.ID, r.Error)
	}
}

func TestLinesThatCannotBeReadAreAnsweredAndTheSessionGoesOn(t *testing.T) {
	deep := strings.Repeat("[", 70) + strings.Repeat("]", 70)
	deeper := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	long := strings.Repeat("x", 3<<20)
	c := converse(t)
	for name, line := range map[string]struct {
		text, id string
		code     int
	}{
		"words":             {"hello", "null", -32700},
		"half a message":    {`{"jsonrpc":"2.0","id":1,`, "1", -32700},
		"two messages":      {`{"jsonrpc":"2.0","id":1,"method":"ping"} {}`, "1", -32700},
		"no UTF-8":          {"{\"jsonrpc\":\"2.0\",\"method\":\"\xff\",\"id\":7}", "7", -32700},
		"UTF-16":            {"\xff\xfe{\x00}\x00", "null", -32700},
		"a batch":           {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", -32600},
		"a string":          {`"ping"`, "null", -32600},
		"no version":        {`{"method":"ping","id":8}`, "8", -32600},
		"another version":   {`{"jsonrpc":"1.0","method":"ping","id":8}`, "8", -32600},
		"an object as id":   {`{"jsonrpc":"2.0","method":"ping","id":{"a":1}}`, "null", -32600},
		"a number as name":  {`{"jsonrpc":"2.0","method":5,"id":9}`, "9", -32600},
		"deep":              {`{"jsonrpc":"2.0","method":"tools/call","params":` + deep + `,"id":10}`, "10", -32700},
		"deeper":            {`{"jsonrpc":"2.0","method":"tools/call","params":` + deeper + `,"id":"a-1"}`, `"a-1"`, -32700},
		"long":              {`{"jsonrpc":"2.0","method":"tools/call","params":{"x":"` + long + `"},"id":11}`, "11", -32700},
		"long and no id":    {long, "null", -32700},
		"long, id first":    {`{"jsonrpc":"2.0","id":13,"method":"x","params":{"x":"` + long + `"}}`, "13", -32700},
		"half a number":     {`{"jsonrpc":"2.0","method":"ping","id":1.5}`, "null", -32600},
		"a rounded number":  {`{"jsonrpc":"2.0","method":"ping","id":9007199254740993}`, "null", -32600},
		"a huge number":     {`{"jsonrpc":"2.0","method":"ping","id":1e300}`, "null", -32600},
		"an id in the data": {`{"jsonrpc":"3.0","method":"x","params":{"id":12}}`, "null", -32600},
	} {
		c.say(line.text)
		r := c.next()
		if r.Error == nil || r.Error.Code != line.code || string(r.ID) != line.id {
			t.Errorf("%s: answered with id %s and %+v, want %s and %d", name, r.ID, r.Error, line.id, line.code)
		}
		c.lives()
	}
}

func TestEmptyLinesAndStrayMessagesAreIgnored(t *testing.T) {
	c := converse(t)

	for _, line := range []string{
		"", "  ", "\r",
		`{"jsonrpc":"2.0","id":99,"result":{}}`,
		`{"jsonrpc":"2.0","id":99,"error":{"code":1,"message":"x"}}`,
		`{"jsonrpc":"2.0","method":"notifications/unknown"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":77}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}`,
	} {
		c.say(line)
	}

	c.lives()
}

func TestTheEndOfTheInputEndsTheSession(t *testing.T) {
	c := converse(t)

	if err := c.in.Close(); err != nil {
		t.Fatal(err)
	}

	if err := <-c.ended; err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

func TestManyRequestsOneAfterTheOtherAreAnswered(t *testing.T) {
	c := converse(t)

	for i := range 200 {
		c.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
		if r := c.next(); r.Error != nil {
			t.Fatalf("request %d: %+v", i, r.Error)
		}
	}
}

func TestASessionEndsEvenIfNobodyReadsItsOutput(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	for name, written := range map[string][]string{
		"an answer": {ping}, "many answers": {ping, ping, ping}, "refusals": {"hello", "hello", "hello", ping},
	} {
		t.Run(name+" and the end of the input", func(t *testing.T) {
			t.Parallel()
			c := converse(t)
			for _, line := range written {
				c.say(line)
			}

			if err := c.in.Close(); err != nil {
				t.Fatal(err)
			}

			if err := <-c.ended; err != nil {
				t.Errorf("the server ended with %v", err)
			}
		})
		t.Run(name+" and a signal", func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			c := converseWith(t, serveUntil(ctx, t, options(nil)))
			for _, line := range written {
				c.say(line)
			}

			cancel()

			if err := <-c.ended; !errors.Is(err, context.Canceled) {
				t.Errorf("the server ended with %v", err)
			}
		})
	}
}

// A script writes all of its requests and closes its end.
func TestRequestsBeforeTheEndOfTheInputAreAnswered(t *testing.T) {
	in := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},` +
		`"clientInfo":{"name":"test","version":"1"}}}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	for i, tool := range []string{"cash", "receivables", "transactions", "spend"} {
		in += fmt.Sprintf("\n"+`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"%s"}}`, i+1, tool)
	}
	var out bytes.Buffer

	err := mcpserver.Serve(t.Context(), mcpserver.New(options(generated(t).honest(t))), strings.NewReader(in), &out)

	if err != nil {
		t.Fatal(err)
	}
	results := 0
	for line := range strings.Lines(out.String()) {
		var r reply
		if err := json.Unmarshal([]byte(line), &r); err != nil || r.Error != nil || strings.Contains(line, `"isError"`) {
			t.Errorf("%v: %s", err, line)
		}
		results++
	}
	if results != 5 {
		t.Errorf("%d of 5 requests are answered", results)
	}
}

func TestACallThatNeverEndsIsCancelledAfterTheEndOfTheInput(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := &waiting{nil, make(chan struct{}, 1), make(chan struct{}, 1)}
		o := options(nil)
		o.Source = source
		c := converseWith(t, serve(t, o))
		c.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"cash"}}`)
		<-source.begun
		go func() { _, _ = io.Copy(io.Discard, c.out) }()

		if err := c.in.Close(); err != nil {
			t.Fatal(err)
		}

		<-source.ended
		if err := <-c.ended; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
}

func TestAnIDThatIsInUseIsRefusedAndDoesNotCount(t *testing.T) {
	source := &waiting{generated(t).honest(t), make(chan struct{}, 1), make(chan struct{}, 1)}
	o := options(nil)
	o.Source = source
	c := converseWith(t, serve(t, o))
	const cash = `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"cash","arguments":{}}}`
	c.say(cash)
	<-source.begun

	for range 100 { // more than may wait for an answer
		c.say(cash)
		if r := c.next(); r.Error == nil || r.Error.Code != -32600 || string(r.ID) != "null" {
			t.Fatalf("the second request is answered with id %s and %+v", r.ID, r.Error)
		}
	}

	c.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"a"}}`)
	<-source.ended
	if r := c.next(); string(r.ID) != `"a"` {
		t.Errorf("the first request is answered with id %s", r.ID)
	}
	c.lives()
}

func TestRequestsBeyondTheMaximumAreRefusedByTheirID(t *testing.T) {
	source := &waiting{generated(t).honest(t), make(chan struct{}, 100), make(chan struct{}, 100)}
	o := options(nil)
	o.Source = source
	c := converseWith(t, serve(t, o))
	for i := range 64 {
		c.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"cash"}}`, i))
	}

	c.say(`{"jsonrpc":"2.0","id":64,"method":"ping","params":{}}`)

	if r := c.next(); string(r.ID) != "64" || r.Error == nil || r.Error.Code != -32603 {
		t.Errorf("the answer has id %s and %+v", r.ID, r.Error)
	}
}
