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

// sizeOf returns the size of a window. Clients may claim any size; a size of 0 means that the
// client does not know it.
func sizeOf(width, height uint32) Size {
	size := Size{int(min(width, maxWidth)), int(min(height, maxHeight))}
	if size.Width == 0 || size.Height == 0 {
		return Size{80, 24}
	}
	return size
}

// variables are the variables of the client's environment that a session takes over.
var variables = []string{"COLORTERM", "LANG", "LC_ALL", "LC_CTYPE", "NO_COLOR"}

// maxValue is the maximum length of a value of the client's environment, in bytes.
const maxValue = 64

// terminal is the terminal that a client has asked for.
type terminal struct {
	name   string // value of TERM; "" if the client sent none or one that is no name
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

// What is refused before a session begins.
const (
	refusedCommand = "only the dashboard is served here: connect without a command. Commands run on your own machine; " +
		"see tarmac help"
	refusedFiles    = "no files are served here: tarmac runs on your own machine, too, and exports there"
	refusedTerminal = "the dashboard needs a terminal: connect with ssh -t"
	refusedDumb     = "the dashboard cannot be drawn on this terminal: set TERM to its name, for example xterm-256color"
)

// awaitShell handles the requests of a channel until the client asks for a shell. It returns nil if
// the client closes the channel, or why the session is refused.
func (c *connection) awaitShell(requests <-chan *ssh.Request) (claimed *terminal, refusal string) {
	values := map[string]string{}
	for request := range requests {
		accepted := false
		switch request.Type {
		case "pty-req":
			if t := parseTerminal(request.Payload); t != nil && claimed == nil {
				t.values, claimed, accepted = values, t, true
			}
		case "env":
			takeVariable(request.Payload, values)
		case "auth-agent-req@openssh.com":
			c.refuse("agent forwarding (-A) is refused")
		case "x11-req":
			c.refuse("X11 forwarding (-X) is refused")
		case "exec", "subsystem", "shell":
			_ = request.Reply(true, nil)
			return claimed, refusalOf(request, claimed)
		}
		if request.WantReply {
			_ = request.Reply(accepted, nil)
		}
	}
	return nil, ""
}

func refusalOf(request *ssh.Request, claimed *terminal) string {
	switch {
	case request.Type == "subsystem":
		return refusedFiles
	case request.Type == "exec":
		return refusedCommand
	case claimed == nil:
		return refusedTerminal
	case claimed.name == "dumb" || claimed.name == "":
		return refusedDumb
	}
	return ""
}

// parseTerminal parses the payload of a pty-req request. It returns nil if it is invalid.
func parseTerminal(payload []byte) *terminal {
	var claim struct {
		Term                                   string
		Width, Height, PixelWidth, PixelHeight uint32
		Modes                                  string
	}
	if ssh.Unmarshal(payload, &claim) != nil {
		return nil
	}
	if !isValue(claim.Term) {
		claim.Term = ""
	}
	return &terminal{name: claim.Term, size: sizeOf(claim.Width, claim.Height)}
}

// takeVariable stores a variable of the client's environment if a session takes it over.
func takeVariable(payload []byte, values map[string]string) {
	var variable struct{ Name, Value string }
	if ssh.Unmarshal(payload, &variable) == nil && slices.Contains(variables, variable.Name) && isValue(variable.Value) {
		values[variable.Name] = variable.Value
	}
}

// isValue reports whether a client's value can be put into an environment: it is short and has
// letters, digits and a few other characters only, so that it is not a path.
func isValue(value string) bool {
	return len(value) <= maxValue && !strings.ContainsFunc(value, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.+@", r)
	})
}
