package terminal

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// typedKeys are sequences that terminals send, and what they mean.
var typedKeys = map[string]string{
	"j": "j", "Q": "Q", "ä": "ä", " ": "space", "\r": "enter", "\t": "tab", "\x7f": "backspace",
	"\x03": "ctrl+c", "\x00": "ctrl+space",
	"\x1b": "esc", "\x1bx": "alt+x", "\x1b[Z": "shift+tab", "\x1b[A": "up", "\x1bOA": "up", "\x1b[1;5C": "ctrl+right",
	"\x1b[H": "home", "\x1b[1~": "home", "\x1b[7~": "home", "\x1b[F": "end", "\x1b[4~": "end", "\x1b[8~": "end",
	"\x1b[5~": "pgup", "\x1b[6~": "pgdown", "\x1b[2~": "insert", "\x1b[3~": "delete", "\x1bOP": "f1",
	"\x1b[15~": "f5", "\x1b[24~": "f12", "\x1b[27u": "esc", "\x1b[97;5u": "ctrl+a", "\x1b[27;5;97~": "ctrl+a",
	"\x1b[a": "shift+up", "\x1bOa": "ctrl+up",
}

func described(events []uv.Event) string {
	var all []string
	for _, event := range events {
		switch event := event.(type) {
		case uv.KeyPressEvent:
			all = append(all, event.String())
		case uv.PasteEvent:
			all = append(all, fmt.Sprintf("pasted %q", event.Content))
		default:
			all = append(all, fmt.Sprintf("%T", event))
		}
	}
	return strings.Join(all, ", ")
}

func TestKeysOfARemoteTerminalAreDecoded(t *testing.T) {
	for input, want := range typedKeys {
		var k keys
		if got := described(k.decode([]byte(input), true)); got != want || k.rest != nil {
			t.Errorf("%q is %s, want %s, and %q is left", input, got, want, k.rest)
		}
	}
}

// A sequence may arrive in any pieces. Until it is complete or nothing else comes, it is kept.
func TestASequenceInPiecesIsOneKey(t *testing.T) {
	for input, want := range typedKeys {
		if len(input) < 3 || input[0] != escapeByte {
			continue
		}
		var k keys
		var got []uv.Event
		for i := range len(input) {
			got = append(got, k.decode([]byte(input[i:i+1]), false)...)
		}
		if got = append(got, k.decode(nil, true)...); described(got) != want {
			t.Errorf("%q is %s, want %s", input, described(got), want)
		}
	}
	var k keys
	if got := described(k.decode([]byte("\x1b[A\x1b[Bj\x1b"), false)); got != "up, down, j" || string(k.rest) != "\x1b" {
		t.Errorf("it is %s, and %q is left", got, k.rest)
	}
}

func TestPastedTextOfARemoteTerminalIsOneEvent(t *testing.T) {
	for input, want := range map[string]string{
		"\x1b[200~a\nä\x1b[201~j":                `pasted "a\nä", j`,
		"\x1b[200~\x1b[201~":                     `pasted ""`,
		"\x1b[200~a\xff\x1b[31mb\x1b[201~":       `pasted "a[31mb"`,
		"\x1b[200~a\x1b[201~\x1b[200~b\x1b[201~": `pasted "a", pasted "b"`,
		"\x1b[200~never ended":                   "",
	} {
		for _, bytewise := range []bool{false, true} {
			var k keys
			var got []uv.Event
			buffer := make([]byte, 64)
			var in io.Reader = strings.NewReader(input)
			if bytewise {
				in = iotest.OneByteReader(in)
			}
			filter := &inputFilter{in: in, now: func() time.Time { return time.Unix(1, 0) }}
			for {
				n, err := filter.Read(buffer)
				got = append(got, k.decode(buffer[:n], false)...)
				if err != nil {
					break
				}
			}
			if described(got) != want {
				t.Errorf("%q is %s, want %s", input, described(got), want)
			}
		}
	}
}

// Escape is a key if nothing follows in time.
func TestALoneEscapeIsSentAfterAMoment(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		in, typed := io.Pipe()
		defer typed.Close()
		events := make(chan uv.Event, 10)
		go forwardInput(guarded{ctx: ctx}, in, func(event uv.Event) { events <- event })
		if _, err := io.WriteString(typed, "\x1b"); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		event := <-events
		if waited := time.Since(start); described([]uv.Event{event}) != "esc" || waited != sequenceTimeout {
			t.Errorf("it was %s after %s", described([]uv.Event{event}), waited)
		}
	})
}
