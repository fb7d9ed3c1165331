package sshserver

import (
	"context"
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
	ID     string // random, also of the connection; unique among all servers
	Login  Login
	Grant  any    // result of Config.Authenticate
	Client string // the client's version, cleaned and shortened
	// Environ holds TERM, and COLORTERM, LANG, LC_ALL, LC_CTYPE and NO_COLOR if the client sent
	// them, in the form name=value.
	Environ []string
	Size    Size // size of the window when the session began
	// Sizes receives the new size when the window changes. A slow receiver gets only the latest
	// size.
	Sizes <-chan Size
	// IdleSoon receives the time that is left before an idle session ends. Active keeps it open.
	IdleSoon <-chan time.Duration

	channel        ssh.Channel
	ctx            context.Context // ends when the session does
	input          *rate.Limiter
	close          func() // closes the connection
	cancel         context.CancelCauseFunc
	writeTimeout   time.Duration
	idle           time.Duration
	idleTimer      *time.Timer
	warningTimer   *time.Timer // of IdleSoon
	received, sent atomic.Int64
}

// Limits of a session's input. Nobody types as fast, but a pasted text can be as long as the burst.
const (
	inputRate  = 64 << 10 // bytes a second
	inputBurst = 1 << 20  // bytes
)

// Read reads the client's input, at most at inputRate after a burst of inputBurst. At the end of
// the input or after an error, it ends the session.
func (s *Session) Read(p []byte) (int, error) {
	n, err := s.channel.Read(p[:min(len(p), inputBurst)])
	s.received.Add(int64(n))
	if err == nil {
		err = s.input.WaitN(s.ctx, n)
	}
	if err != nil {
		s.cancel(ErrGone)
	}
	return n, err
}

// Write shows output. If the client does not receive it in time, Write closes the connection.
func (s *Session) Write(p []byte) (int, error) {
	timeout := time.AfterFunc(s.writeTimeout, s.close)
	defer timeout.Stop()
	n, err := s.channel.Write(p)
	s.sent.Add(int64(n))
	return n, err
}

// Active restarts the time after which an idle session ends. The caller decides which input comes
// from a person: terminals also send some by themselves.
func (s *Session) Active() {
	s.idleTimer.Reset(s.idle)
	s.warningTimer.Reset(s.idle - idleWarning(s.idle))
}

// idleWarning returns how long before the end of an idle session IdleSoon receives that time.
func idleWarning(idle time.Duration) time.Duration { return min(time.Minute, idle/2) }

// startIdleTimers starts the timers that end the session, and that say so before.
func (s *Session) startIdleTimers() {
	left := idleWarning(s.idle)
	soon := make(chan time.Duration, 1)
	s.IdleSoon = soon
	s.idleTimer = time.AfterFunc(s.idle, func() { s.cancel(ErrIdle) })
	s.warningTimer = time.AfterFunc(s.idle-left, func() {
		select {
		case soon <- left:
		default: // the last one was not received
		}
	})
}

func (s *Session) stopIdleTimers() {
	s.idleTimer.Stop()
	s.warningTimer.Stop()
}

// Bytes returns how many bytes were received from the client and sent to it.
func (s *Session) Bytes() (received, sent int64) { return s.received.Load(), s.sent.Load() }

// exitUsage is the exit status of a request for something other than the dashboard.
const exitUsage = 2

// serveSession serves the channel of a session: it waits for the request for a shell with a
// terminal and runs the session.
func (c *connection) serveSession(channel ssh.Channel, requests <-chan *ssh.Request) {
	defer func() { _ = channel.Close() }()
	requested, refusal := c.awaitShell(requests)
	close(c.begun)
	ctx, cancel := context.WithCancelCause(c.client.ctx)
	defer cancel(nil)
	sizes := make(chan Size, 1)
	// Requests are received until the channel is closed, even after a refusal: a request that is
	// not received blocks the whole connection.
	c.server.running.Go(func() {
		defer c.server.recoverPanic()
		serveRequests(requests, sizes)
		cancel(ErrGone)
	})
	if refusal != "" {
		c.end(channel, "tarmac: "+refusal+"\r\n", exitUsage)
		return
	}
	if requested == nil {
		return // the client has gone
	}
	s := &Session{
		ID: c.client.id, Login: c.client.granted.login, Grant: c.client.granted.grant,
		Client: clientVersion(c.ssh.ClientVersion()), Environ: requested.environ(), Size: requested.size, Sizes: sizes,
		channel: channel, ctx: ctx, input: rate.NewLimiter(inputRate, inputBurst),
		close: func() { _ = c.ssh.Close() }, cancel: cancel, writeTimeout: c.server.Limits.WriteTimeout,
		idle: c.server.Idle,
	}
	s.startIdleTimers()
	defer s.stopIdleTimers()
	if err := c.server.clients.beginSession(c.client); err != nil {
		c.server.tally.count(ReasonSessions)
		c.end(channel, "tarmac: "+err.Error()+"\r\n", 1)
		return
	}
	defer c.server.clients.endSession(c.client)
	c.run(ctx, s)
}

// run runs the session. If the session has not ended Limits.GracePeriod after its context, run
// closes the connection: a client that receives no output would block the session for ever.
func (c *connection) run(ctx context.Context, s *Session) {
	ended := make(chan struct{})
	defer close(ended)
	c.server.running.Go(func() {
		<-ctx.Done()
		timer := time.NewTimer(c.server.Limits.GracePeriod)
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
	if err := c.callRun(ctx, s); err != nil {
		c.end(s.channel, "tarmac: "+termtext.Line(err.Error())+"\r\n", 1)
		return
	}
	c.end(s.channel, "", 0)
}

// ErrFault is shown to a person whose session ended by a panic.
var ErrFault = errors.New("a fault of the program ended this session; the operator finds it in the log")

// callRun calls Config.Run and returns ErrFault if it panics.
func (c *connection) callRun(ctx context.Context, s *Session) (err error) {
	err = ErrFault // after a panic
	defer c.server.recoverPanic()
	return c.server.Run(ctx, s)
}

// end shows a last text to the person and closes the channel with an exit status.
func (c *connection) end(channel ssh.Channel, text string, status uint32) {
	timeout := time.AfterFunc(c.server.Limits.GracePeriod, func() { _ = c.ssh.Close() })
	defer timeout.Stop()
	_, _ = io.WriteString(channel.Stderr(), text)
	_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Status uint32 }{status}))
	_ = channel.Close()
}

// maxVersion is the maximum length of a client's version, in bytes.
const maxVersion = 64

func clientVersion(version []byte) string {
	return termtext.Line(string(version[:min(len(version), maxVersion)]))
}

// serveRequests answers requests on the channel of a session until the channel is closed. It passes
// new window sizes on and refuses everything else.
func serveRequests(requests <-chan *ssh.Request, sizes chan Size) {
	for request := range requests {
		known := request.Type == "window-change"
		if known {
			var window struct{ Width, Height, PixelWidth, PixelHeight uint32 }
			if known = ssh.Unmarshal(request.Payload, &window) == nil; known {
				select {
				case <-sizes: // drop a size that was not received yet
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
