package journal

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"tarmac/service/statements/bank"
)

// Limits for a tool: the time that it runs, its output, the output that is still read after an
// error, the size of one transaction, and the size of its error messages.
const (
	maxTime        = 5 * time.Minute
	maxOutput      = 8 << 30
	maxRest        = 1 << 20
	maxTransaction = 16 << 20
	maxMessages    = 64 << 10
)

// tool is an installed program that reads journals.
type tool struct {
	name    string
	install string // what the user must install if the program is missing
}

// passed lists the environment variables that a tool gets. They name the directories of programs,
// of the user and of temporary files. Other variables could change the output.
var passed = []string{"PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP"}

func environment() []string {
	env := []string{"LC_ALL=C.UTF-8", "PYTHONIOENCODING=utf-8", "BEANCOUNT_DISABLE_LOAD_CACHE=1"}
	for _, name := range passed {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// errOutput is returned for output that cannot be parsed, for example because the tool stopped
// early.
var errOutput = errors.New("unreadable output")

// run runs a tool and calls read with its standard output. If in is not nil, it is the tool's
// standard input.
func (t tool) run(ctx context.Context, in io.Reader, read func(io.Reader) error, args ...string) error {
	path, err := exec.LookPath(t.name)
	if err != nil {
		return bank.Errorf(0, "is a journal, which %s must read: install %s", t.name, t.install)
	}
	limited, cancel := context.WithTimeout(ctx, maxTime)
	defer cancel()
	messages := &start{}
	cmd := exec.CommandContext(limited, path, args...)
	cmd.Env, cmd.Stdin, cmd.Stderr, cmd.WaitDelay = environment(), in, messages, 2*time.Second
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return bank.Errorf(0, "is a journal, which %s must read: %v", t.name, err)
	}
	failed := read(io.LimitReader(out, maxOutput))
	if _, err := io.CopyN(io.Discard, out, maxRest); err != io.EOF {
		cancel() // stops a tool that is still writing
	}
	ended := cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case failed != nil && !errors.Is(failed, errOutput):
		return failed
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		return bank.Errorf(0, "%s took longer than %v", t.name, maxTime)
	case ended != nil && limited.Err() == nil:
		return t.explain(messages.String(), ended)
	case failed != nil:
		return bank.Errorf(0, "the output of %s cannot be read: %v", t.name, failed)
	}
	return nil
}

// start is an io.Writer that stores the first maxMessages bytes and drops the rest.
type start struct{ bytes.Buffer }

func (s *start) Write(p []byte) (int, error) {
	s.Buffer.Write(p[:min(len(p), max(0, maxMessages-s.Len()))])
	return len(p), nil
}

var (
	// place matches the position at the start of an error message: "file:3:21:", "file:1-5:" or
	// "(lines 1-5)".
	place = regexp.MustCompile(`^.*?(?::(\d+)(?:-\d+)?(?::[-\d]+)?:|\(lines? (\d+)(?:-\d+)?\))`)
	// excerpt matches a line of the journal that is quoted in an error message.
	excerpt = regexp.MustCompile(`^\s*\d*\s*\|`)
)

const maxReason = 240

// explain returns the first error message of a tool as a *bank.Error of one line. If there is no
// message, it uses the error ended.
func (t tool) explain(messages string, ended error) error {
	line, reason := 0, ""
	for text := range strings.Lines(messages) {
		if at := place.FindStringSubmatch(text); at != nil {
			if line > 0 {
				break // the second message begins here
			}
			line, _ = strconv.Atoi(at[1] + at[2])
			text = text[len(at[0]):]
		}
		text = strings.TrimPrefix(bank.Text(text), t.name+": ")
		if !excerpt.MatchString(text) && utf8.RuneCountInString(reason) < maxReason {
			reason = strings.Join(append(strings.Fields(reason), strings.Fields(text)...), " ")
		}
	}
	switch runes := []rune(reason); {
	case len(runes) == 0:
		reason = ended.Error()
	case len(runes) > maxReason:
		reason = string(runes[:maxReason]) + "…"
	}
	return bank.Errorf(line, "%s: %s", t.name, reason)
}
