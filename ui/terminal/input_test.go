package terminal

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// filtered returns what the filter makes of input, which arrives at once or byte by byte.
func filtered(t *testing.T, input string, bytewise bool) string {
	t.Helper()
	var in io.Reader = strings.NewReader(input)
	if bytewise {
		in = iotest.OneByteReader(in)
	}
	out, err := io.ReadAll(&inputFilter{in: in, now: func() time.Time { return time.Unix(1, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestInputOfARealTerminalIsPassedOn(t *testing.T) {
	for _, input := range []string{
		"", "jk q\r\t\x7f\x03", "äß€𝔘", "\x1b", "\x1b\x1b", "\x1bx", "\x1bé", "\x1b[A\x1bOP\x1b[1;5C\x1b[3~",
		"\x1b[<35;10;20M", "\x1b[I\x1b[O", "\x1b[?1;2c", "\x1b[97;5u",
		"\x1b]11;rgb:ffff/ffff/ffff\x1b\\j", "\x1b]11;rgb:0/0/0\aj",
		"\x1bP>|xterm\x1b\\j", "\x1b[200~pasted\ntext ä\x1b[201~j", "\x1b[200~\x1b[201~", "\x1b[8;24;80t",
	} {
		for _, bytewise := range []bool{false, true} {
			if got := filtered(t, input, bytewise); got != input {
				t.Errorf("%q became %q", input, got)
			}
		}
	}
}

func TestHostileInputIsShortened(t *testing.T) {
	digits := strings.Repeat("1", 100_000)
	for name, c := range map[string]struct{ input, want string }{
		"repeated keys":             {"\x1b[1;;;1;;65535_", "\x1b[1;;;1;;65535z"},
		"a long control sequence":   {"\x1b[" + digits + "A", "\x1b[" + digits[:maxControl] + "A"},
		"a long string":             {"\x1b]" + digits + "\x1b\\j", "\x1b]" + digits[:maxString] + "\x1b\\j"},
		"a string with BEL":         {"\x1bP\a" + digits + "\x1b\\j", "\x1bP\a" + digits[:maxString-1] + "\x1b\\j"},
		"keys in a string":          {"\x1b]1;\x1b[1;;;1;;65535_", "\x1b]1;\x1b[1;;;1;;65535z"},
		"8-bit sequences":           {"\x9b1;;;1;;9_\x9d1\x901", "?1;;;1;;9_?1?1"},
		"sequences in a paste":      {"\x1b[200~a\x1b[1;1_b\x1b[20\x1b[201~c", "\x1b[200~a[1;1_b[20\x1b[201~c"},
		"a paste in a paste":        {"\x1b[200~a\x1b[200~b\x1b[201~c", "\x1b[200~a[200~b\x1b[201~c"},
		"a sequence in a character": {"\xe2\x9b[1_\xe2\x9b1;;;1;;9_", "?[1_?1;;;1;;9_"},
	} {
		for _, bytewise := range []bool{false, true} {
			if got := filtered(t, c.input, bytewise); got != c.want {
				t.Errorf("%s became %.200q", name, got)
			}
		}
	}
	long := strings.Repeat("x", 3*maxPaste)
	if got := filtered(t, "\x1b[200~"+long+"\x1b[201~j", false); len(got) != maxPaste+len("\x1b[200~\x1b[201~j") ||
		!strings.HasSuffix(got, "x\x1b[201~j") {
		t.Errorf("a long paste has %d bytes and ends with %q", len(got), got[len(got)-10:])
	}
}

// Alt and shift+p begin a control string like a terminal's answer. After a moment, they are a key.
func TestAnUnfinishedSequenceIsForgotten(t *testing.T) {
	now := time.Unix(1, 0)
	in, typed := io.Pipe()
	f := &inputFilter{in: in, now: func() time.Time { return now }}
	go func() {
		_, _ = io.WriteString(typed, "\x1bP")
		_, _ = io.WriteString(typed, strings.Repeat("j", 2*maxString))
		_ = typed.Close()
	}()
	buffer := make([]byte, 3*maxString)
	if n, err := f.Read(buffer); n != 2 || err != nil {
		t.Fatal(n, err)
	}
	now = now.Add(time.Second)

	rest, err := io.ReadAll(f)

	if len(rest) != 2*maxString || err != nil {
		t.Errorf("%d keys arrived, %v", len(rest), err)
	}
}

// The decoder makes at most one event of each byte that passes the filter.
func FuzzInputFilter(f *testing.F) {
	f.Add([]byte("\x1b[1;;;1;;65535_\x1b[200~a\x1b[1;;;1;;9_\x1b[201~"))
	f.Add([]byte("\xe2\x9b1;;;1;;65535_\xc2\x9b1;;;1;;65535_"))
	f.Add([]byte("\x1b]0;\x9c\x1b[1;;;1;;65535_\x1b\\\x9b1;;;1;;9_"))
	f.Fuzz(func(t *testing.T, input []byte) {
		filter := &inputFilter{in: bytes.NewReader(input), now: func() time.Time { return time.Unix(1, 0) }}
		events := make(chan uv.Event)
		go func() {
			defer close(events)
			_ = uv.NewTerminalReader(filter, "xterm-256color").StreamEvents(context.Background(), events)
		}()
		n := 0
		for event := range events {
			n++
			if several, ok := event.(uv.MultiEvent); ok {
				n += len(several)
			}
		}
		if n > 2*len(input)+1 {
			t.Errorf("%d events of %d bytes", n, len(input))
		}
	})
}
