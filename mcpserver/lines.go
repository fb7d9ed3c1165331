package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"
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
	in    io.Reader
	out   io.Writer
	ended chan struct{} // closed at the end of in, when nothing more will be answered
}

// answerTime is how long requests may be answered after the end of the input. Scripts write all of
// their requests at once. Assistants that do not want to wait send a signal.
const answerTime = 30 * time.Second

// Connect starts to read.
func (l *lines) Connect(context.Context) (mcp.Connection, error) {
	c := &connection{
		out: l.out, incoming: make(chan jsonrpc.Message), closed: make(chan struct{}),
		refusals: make(chan struct{}, maxPending), pending: map[jsonrpc.ID]bool{}, answered: make(chan struct{}, 1),
	}
	go func() {
		defer close(l.ended)
		defer close(c.incoming) // the SDK then cancels the requests without a response
		c.readAll(bufio.NewReaderSize(l.in, 64<<10))
		c.awaitAnswers()
	}()
	return c, nil
}

// connection is the connection to one client.
type connection struct {
	incoming  chan jsonrpc.Message // closed after the end of the input
	closed    chan struct{}
	closeOnce sync.Once
	refusals  chan struct{} // a value for each refusal that is being written

	writing sync.Mutex
	out     io.Writer

	mu       sync.Mutex          // never held while out is written
	pending  map[jsonrpc.ID]bool // requests without a response
	answered chan struct{}       // has a value after a request was removed from pending
}

// SessionID returns "", because standard input has only one session.
func (c *connection) SessionID() string { return "" }

// Close makes Read return io.EOF. The goroutine that reads the input stays until the input ends.
func (c *connection) Close() error {
	c.closeOnce.Do(func() { close(c.closed) })
	return nil
}

// Read returns the next message. After the end of the input, it returns io.EOF when all requests
// are answered or answerTime has passed.
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
	if response, ok := message.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.pending, response.ID)
		c.mu.Unlock()
		select {
		case c.answered <- struct{}{}:
		default:
		}
	}
	return c.writeLine(text)
}

func (c *connection) writeLine(text []byte) error {
	c.writing.Lock()
	defer c.writing.Unlock()
	_, err := c.out.Write(append(text, '\n'))
	return err
}

// awaitAnswers returns when no request lacks a response, or after answerTime.
func (c *connection) awaitAnswers() {
	late := time.After(answerTime)
	for c.hasPending() {
		select {
		case <-c.answered:
		case <-late:
			return
		case <-c.closed:
			return
		}
	}
}

func (c *connection) hasPending() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.pending) > 0
}

// readAll passes the messages of the input on to Read. It answers lines that are not messages.
func (c *connection) readAll(in *bufio.Reader) {
	for {
		line, err := readLine(in)
		if len(bytes.TrimSpace(line)) > 0 || errors.Is(err, errLongLine) {
			message, refusal := c.accept(line, err)
			if refusal != nil {
				c.refuse(refusal)
			} else {
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

// readLine returns the next line. If it is longer than maxLine, readLine returns its beginning and
// its end, and errLongLine.
func readLine(in *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > maxLine {
			long = true
			line = slices.Delete(line, min(len(line), maxEnd), max(maxEnd, len(line)-maxEnd))
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

// refusal is the answer to a line that is not passed on. An invalid id stands for an unknown one.
type refusal struct {
	id    jsonrpc.ID
	error *jsonrpc.Error
}

// accept returns the message of a line, or the answer to a line that is refused.
func (c *connection) accept(line []byte, readErr error) (jsonrpc.Message, *refusal) {
	refuse := func(id jsonrpc.ID, code int64, text string) (jsonrpc.Message, *refusal) {
		return nil, &refusal{id, &jsonrpc.Error{Code: code, Message: text}}
	}
	switch {
	case errors.Is(readErr, errLongLine):
		return refuse(idIn(line), jsonrpc.CodeParseError, "the message is larger than 1 MiB")
	case !utf8.Valid(line):
		return refuse(idIn(line), jsonrpc.CodeParseError, "the message is not UTF-8")
	case depth(line) > maxDepth:
		return refuse(idIn(line), jsonrpc.CodeParseError, "the message is nested too deeply")
	case !json.Valid(line):
		return refuse(idIn(line), jsonrpc.CodeParseError, "the line is not JSON")
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return refuse(idIn(line), jsonrpc.CodeInvalidRequest, "the line is not a JSON-RPC 2.0 message")
	}
	request, ok := message.(*jsonrpc.Request)
	if !ok || !request.IsCall() {
		return message, nil
	}
	if !isExact(request.ID, line) {
		return refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "the id is neither a text nor an integer of at most 53 bits")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.pending[request.ID]:
		// An answer with the id would look like the one to the earlier request.
		return refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, "a request with this id has no answer yet")
	case len(c.pending) >= maxPending:
		return refuse(request.ID, jsonrpc.CodeInternalError, "too many requests at once")
	}
	c.pending[request.ID] = true
	return message, nil
}

// isExact reports whether the ID of a request is the one in its line. The SDK rounds numbers.
func isExact(id jsonrpc.ID, line []byte) bool {
	number, ok := id.Raw().(int64)
	if !ok {
		return true
	}
	var sent struct {
		ID json.Number `json:"id"`
	}
	return json.Unmarshal(line, &sent) == nil && sent.ID.String() == strconv.FormatInt(number, 10) &&
		number > -maxNumber && number < maxNumber
}

// maxNumber is the smallest integer that need not be exact in JSON. The SDK reads all numbers as
// floats of 64 bits.
const maxNumber = 1 << 53

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

// maxEnd is the number of bytes at each end of a line in which idIn looks for the ID.
const maxEnd = 128

// Expressions that match the ID of a request where common clients write it: at the end of the line,
// or before all but the version. They are compiled when a request cannot be decoded: that takes
// long, and hardly a program needs them.
var (
	lastID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`"id":\s*(\d{1,15}|"[\w-]{1,64}")\s*}\s*$`)
	})
	firstID = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^\s*{\s*(?:"jsonrpc":\s*"2.0",\s*)?"id":\s*(\d{1,15}|"[\w-]{1,64}")\s*,`)
	})
)

// idIn returns the ID of a request that cannot be decoded, so that the client does not wait for its
// response. It returns an invalid ID if it finds none.
func idIn(line []byte) (id jsonrpc.ID) {
	found := lastID().FindSubmatch(line[max(0, len(line)-maxEnd):])
	if found == nil {
		found = firstID().FindSubmatch(line[:min(len(line), maxEnd)])
	}
	if found == nil {
		return id
	}
	var value any
	if err := json.Unmarshal(found[1], &value); err != nil {
		return id
	}
	id, _ = jsonrpc.MakeID(value) // an error leaves it invalid
	return id
}

// refuse answers a line with an error. It waits only if there are many refusals that the client
// does not read.
func (c *connection) refuse(r *refusal) {
	text, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      any            `json:"id"`
		Error   *jsonrpc.Error `json:"error"`
	}{"2.0", r.id.Raw(), r.error})
	if err != nil {
		panic(err) // a bug: an ID is a text or a number
	}
	select {
	case c.refusals <- struct{}{}:
	case <-c.closed:
		return
	}
	go func() {
		// If the output is broken, the next response fails too, and that ends the session.
		_ = c.writeLine(text)
		<-c.refusals
	}()
}
