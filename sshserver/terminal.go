package sshserver

import (
	"slices"
	"strings"

	"golang.org/x/crypto/ssh"
)

// Size is the size of a terminal's window in cells. It is at least 1×1 and at most 400×120.
type Size struct{ Width, Height int }

const (
	maxWidth  = 400
	maxHeight = 120
)

// sizeOf returns the size of a window from the size that a client sent, which can be any number. 0
// means that the client does not know the size; the result is then 80×24.
func sizeOf(width, height uint32) Size {
	size := Size{int(min(width, maxWidth)), int(min(height, maxHeight))}
	if size.Width == 0 || size.Height == 0 {
		return Size{80, 24}
	}
	return size
}

// variables are the environment variables that a session takes from its client, besides TERM.
var variables = []string{"COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR"}

// maxValue is the maximum length of a variable's value, in bytes.
const maxValue = 64

// terminal is a terminal that a client has requested.
type terminal struct {
	name   string // value of TERM; "" if it is missing or not a valid name
	size   Size
	values map[string]string
}

// environ returns the environment of the session.
func (t *terminal) environ() []string {
	environ := []string{"TERM=" + t.name}
	for _, name := range variables {
		if value, sent := t.values[name]; sent {
			environ = append(environ, name+"="+value)
		}
	}
	return environ
}

// Refusals of requests for anything but a shell with a terminal.
const (
	refusedCommand = "only the dashboard is served here: connect without a command. Commands run on your own machine; " +
		"see tarmac help"
	refusedFiles    = "no files are served here: tarmac runs on your own machine, too, and exports there"
	refusedTerminal = "the dashboard needs a terminal: connect with ssh -t"
	refusedDumb     = "the dashboard cannot be drawn on this terminal: set TERM to its name, for example xterm-256color"
)

// awaitShell handles the requests of a channel until the client requests a shell. It returns the
// requested terminal, or the text with which the session is refused. If the client closes the
// channel first, it returns neither.
func (c *connection) awaitShell(requests <-chan *ssh.Request) (requested *terminal, refusal string) {
	values := map[string]string{}
	for request := range requests {
		accepted := false
		switch request.Type {
		case "pty-req":
			if t := parseTerminal(request.Payload); t != nil && requested == nil {
				t.values, requested, accepted = values, t, true
			}
		case "env":
			storeVariable(request.Payload, values)
		case "auth-agent-req@openssh.com":
			c.refuse("agent forwarding (-A) is refused")
		case "x11-req":
			c.refuse("X11 forwarding (-X) is refused")
		case "exec", "subsystem", "shell":
			_ = request.Reply(true, nil)
			return requested, refusalOf(request, requested)
		}
		if request.WantReply {
			_ = request.Reply(accepted, nil)
		}
	}
	return nil, ""
}

// refusalOf returns the text with which a request is refused, or "" if the session may begin.
func refusalOf(request *ssh.Request, requested *terminal) string {
	switch {
	case request.Type == "subsystem":
		return refusedFiles
	case request.Type == "exec":
		return refusedCommand
	case requested == nil:
		return refusedTerminal
	case requested.name == "dumb" || requested.name == "":
		return refusedDumb
	}
	return ""
}

// parseTerminal parses the payload of a pty-req request. It returns nil if it is invalid.
func parseTerminal(payload []byte) *terminal {
	var request struct {
		Term                                   string
		Width, Height, PixelWidth, PixelHeight uint32
		Modes                                  string
	}
	if ssh.Unmarshal(payload, &request) != nil {
		return nil
	}
	if !isSafeValue(request.Term) {
		request.Term = ""
	}
	return &terminal{name: request.Term, size: sizeOf(request.Width, request.Height)}
}

// storeVariable parses the payload of an env request and stores the variable if it is one that
// sessions take.
func storeVariable(payload []byte, values map[string]string) {
	var variable struct{ Name, Value string }
	if ssh.Unmarshal(payload, &variable) == nil && slices.Contains(variables, variable.Name) &&
		isSafeValue(variable.Value) {
		values[variable.Name] = variable.Value
	}
}

// isSafeValue reports whether the value of a variable is short and has only letters, digits and a
// few other characters. Paths are not safe.
func isSafeValue(value string) bool {
	return len(value) <= maxValue && !strings.ContainsFunc(value, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.+@", r)
	})
}
