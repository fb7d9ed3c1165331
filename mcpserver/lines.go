package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of the messages that a client sends: the length of a line in bytes, the depth of nesting,
// and the number of requests without a response.
const (
	maxLine    = 1 << 20
	maxDepth   = 64
	maxPending = 64
)

// lines is a transport that reads and writes one JSON message per line. Unlike the transports of
// the SDK, it answers a line that it cannot read with an error and continues with the next line.
type lines struct {
	in  io.Reader
	out io.Writer
}

// Connect starts to read.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &connection{out: l.out, incoming: make(chan jsonrpc.Message), closed: make(chan struct{})}
	go c.readAll(bufio.NewReaderSize(l.in, 64<<10))
	return c, nil
}

// connection is the connection to one client.
type connection struct {
	incoming  chan jsonrpc.Message // closed at the end of the input
	closed    chan struct{}
	closeOnce sync.Once

	mu      sync.Mutex
	out     io.Writer
	pending int // number of requests without a response
}

// SessionID returns "", because standard input has only one session.
func (c *connection) SessionID() string { return "" }

// Close makes Read return io.EOF. The goroutine that reads the input stays until the input ends.
func (c *connection) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next message, or io.EOF at the end of the input.
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case message, ok := <-c.incoming:
		if !ok {
			return nil, io.EOF
		}
		return message, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write writes a message as a line.
func (c *connection) Write(_ context.Context, message jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, isResponse := message.(*jsonrpc.Response); isResponse {
		c.pending--
	}
	_, err = c.out.Write(append(text, '\n'))
	return err
}

// readAll passes the messages of the input on to Read. It answers lines that are not messages.
func (c *connection) readAll(in *bufio.Reader) {
	defer close(c.incoming)
	for {
		line, err := readLine(in)
		if len(bytes.TrimSpace(line)) > 0 || errors.Is(err, errLongLine) {
			message, refusal := c.accept(line, err)
			if refusal != nil && c.refuse(line, refusal) != nil {
				return
			}
			if refusal == nil {
				select {
				case c.incoming <- message:
				case <-c.closed:
					return
				}
			}
		}
		if err != nil && !errors.Is(err, errLongLine) {
			return
		}
	}
}

var errLongLine = errors.New("the line is too long")

// readLine returns the next line. If it is longer than maxLine, readLine returns its end and
// errLongLine.
func readLine(in *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			long = true
			line = line[max(0, len(line)-maxTail):]
		}
		line = append(line, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long && (err == nil || errors.Is(err, io.EOF)) {
			err = errLongLine
		}
		return line, err
	}
}

// accept returns the message of a line, or the error with which the line is answered.
func (c *connection) accept(line []byte, readErr error) (jsonrpc.Message, *jsonrpc.Error) {
	parseError := func(text string) *jsonrpc.Error {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: text}
	}
	switch {
	case errors.Is(readErr, errLongLine):
		return nil, parseError("the message is larger than 1 MiB")
	case !utf8.Valid(line):
		return nil, parseError("the message is not UTF-8")
	case depth(line) > maxDepth:
		return nil, parseError("the message is nested too deeply")
	case !json.Valid(line):
		return nil, parseError("the line is not JSON")
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the line is not a JSON-RPC 2.0 message"}
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.IsCall() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.pending >= maxPending {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "too many requests at once"}
		}
		c.pending++
	}
	return message, nil
}

// depth returns how deeply the arrays and objects of a JSON text are nested. For text that is not
// JSON, it returns some number.
func depth(text []byte) (deepest int) {
	open, inString, escaped := 0, false, false
	for _, b := range text {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped, inString = b == '\\', b != '"'
		case b == '"':
			inString = true
		case b == '{' || b == '[':
			open++
			deepest = max(deepest, open)
		case b == '}' || b == ']':
			open--
		}
	}
	return deepest
}

// maxTail is the number of bytes at the end of a line in which refuse looks for the ID of a
// request.
const maxTail = 128

// lastID matches the ID of a request at the end of its line, where common clients write it.
var lastID = regexp.MustCompile(`"id":\s*(\d{1,15}|"[\w-]{1,64}")\s*}\s*$`)

// refuse answers a line with an error. If it finds the ID of the request, it sends the error as the
// response, so that the client does not wait for another one.
func (c *connection) refuse(line []byte, refusal *jsonrpc.Error) error {
	id := json.RawMessage("null")
	if found := lastID.FindSubmatch(line[max(0, len(line)-maxTail):]); found != nil {
		id = found[1]
	}
	text, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", id, refusal})
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.out.Write(append(text, '\n'))
	return err
}
