package sshserver

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"

	"tarmac/internal/termtext"
)

// Session is a shell with a terminal. Reading from it returns the client's input, and writing to it
// shows output on the client's terminal.
type Session struct {
	ID     string // random; unique among all servers
	Login  Login
	Grant  any    // result of Config.Authenticate
	Client string // the client's version, cleaned and shortened
	Begun  time.Time
	// Environ holds TERM and those of COLORTERM, LANG, LC_ALL, LC_CTYPE and NO_COLOR that the
	// client sent, in the form name=value.
	Environ []string
	Size    Size // size of the window when the session began
	// Sizes receives the size of the window when it changes. If the receiver is slow, it gets the
	// last size alone.
	Sizes <-chan Size

	channel        ssh.Channel
	ctx            context.Context // ends when the session does
	input          *rate.Limiter
	close          func() // closes the connection
	leave          context.CancelCauseFunc
	stalled        time.Duration
	idle           time.Duration
	idling         *time.Timer
	received, sent atomic.Int64
}

// The rate at which a session takes input. It is far above what a person types; a long text that is
// pasted arrives at once.
const (
	inputRate  = 64 << 10 // bytes a second
	inputBurst = 1 << 20  // bytes
)

// Read reads the client's input, not faster than a person types. At its end, the session ends.
func (s *Session) Read(p []byte) (int, error) {
	n, err := s.channel.Read(p[:min(len(p), inputBurst)])
	s.received.Add(int64(n))
	if err == nil {
		err = s.input.WaitN(s.ctx, n)
	}
	if err != nil {
		s.leave(ErrGone)
	}
	return n, err
}

// Write shows output. If the client does not take it in time, Write closes the connection.
func (s *Session) Write(p []byte) (int, error) {
	stalled := time.AfterFunc(s.stalled, s.close)
	defer stalled.Stop()
	n, err := s.channel.Write(p)
	s.sent.Add(int64(n))
	return n, err
}

// Active puts off the end of an idle session. It is called when the person has typed or clicked
// something: terminals also send input by themselves.
func (s *Session) Active() { s.idling.Reset(s.idle) }

// Bytes returns how many bytes the client has sent and was sent.
func (s *Session) Bytes() (received, sent int64) { return s.received.Load(), s.sent.Load() }

// exitUsage is the exit status of a client that asked for something other than the dashboard.
const exitUsage = 2

// serveSession serves the channel of a session: it waits for the request for a shell with a
// terminal and runs the session.
func (c *connection) serveSession(ctx context.Context, channel ssh.Channel, requests <-chan *ssh.Request) {
	defer func() { _ = channel.Close() }()
	claim, refusal := c.awaitShell(requests)
	close(c.begun)
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	sizes := make(chan Size, 1)
	// Requests are received until the channel is closed, even after a refusal: a request that
	// nobody receives blocks the whole connection.
	c.server.running.Go(func() {
		defer c.server.recovered()
		followSession(requests, sizes)
		leave(ErrGone)
	})
	if refusal != "" {
		c.end(channel, "tarmac: "+refusal+"\r\n", exitUsage)
		return
	}
	if claim == nil {
		return // the client has gone
	}
	s := &Session{
		ID: rand.Text(), Login: c.granted.login, Grant: c.granted.grant, Begun: time.Now(),
		Client: clientVersion(c.ssh.ClientVersion()), Environ: claim.environ(), Size: claim.size, Sizes: sizes,
		channel: channel, ctx: ctx, input: rate.NewLimiter(inputRate, inputBurst),
		close: func() { _ = c.ssh.Close() }, leave: leave, stalled: c.server.Limits.Stalled,
		idle: c.server.Idle,
	}
	s.idling = time.AfterFunc(s.idle, func() { leave(ErrIdle) })
	defer s.idling.Stop()
	if err := c.server.register(s, leave); err != nil {
		c.end(channel, "tarmac: "+err.Error()+"\r\n", 1)
		return
	}
	defer c.server.remove(s)
	c.run(ctx, s)
}

// run runs the session. If it does not end in time after its context has ended, run closes the
// connection, because a client that takes no output would block it for ever.
func (c *connection) run(ctx context.Context, s *Session) {
	ended := make(chan struct{})
	defer close(ended)
	c.server.running.Go(func() {
		<-ctx.Done()
		timer := time.NewTimer(c.server.Limits.Leave)
		defer timer.Stop()
		select {
		case <-ended:
		case <-timer.C:
			s.close()
		}
	})
	text := ""
	c.mu.Lock()
	for _, refused := range c.refused {
		text += "tarmac: " + refused + "\r\n"
	}
	c.mu.Unlock()
	if text != "" {
		_, _ = io.WriteString(s, text)
	}
	if err := c.runRecovered(ctx, s); err != nil {
		c.end(s.channel, "tarmac: "+termtext.Line(err.Error())+"\r\n", 1)
		return
	}
	c.end(s.channel, "", 0)
}

// errFault is what a person is told after a panic.
var errFault = errors.New("a fault of the program ended this session; the operator finds it in the log")

func (c *connection) runRecovered(ctx context.Context, s *Session) (err error) {
	err = errFault
	defer c.server.recovered()
	return c.server.Run(ctx, s)
}

// end shows a last text and ends the session with an exit status.
func (c *connection) end(channel ssh.Channel, text string, status uint32) {
	stalled := time.AfterFunc(c.server.Limits.Leave, func() { _ = c.ssh.Close() })
	defer stalled.Stop()
	_, _ = io.WriteString(channel.Stderr(), text)
	_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
	_ = channel.Close()
}

// maxVersion is the maximum length of a client's version, in bytes.
const maxVersion = 64

func clientVersion(version []byte) string {
	return termtext.Line(string(version[:min(len(version), maxVersion)]))
}

// followSession answers the requests of a session that runs, until the client closes it.
func followSession(requests <-chan *ssh.Request, sizes chan Size) {
	for request := range requests {
		known := request.Type == "window-change"
		if known {
			var window struct{ Width, Height, PixelWidth, PixelHeight uint32 }
			if known = ssh.Unmarshal(request.Payload, &window) == nil; known {
				select {
				case <-sizes: // the receiver gets the last size alone
				default:
				}
				sizes <- sizeOf(window.Width, window.Height)
			}
		}
		if request.WantReply {
			_ = request.Reply(known, nil)
		}
	}
}
