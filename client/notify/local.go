package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"tarmac/client/alerts"
	"tarmac/client/settings"
)

// command gives a message to a program, as JSON on its standard input. Its arguments are those of
// the settings; no shell is involved, and nothing of the message is in them.
type command struct {
	name string
	args []string
}

func newCommand(c settings.Channel) (*command, error) {
	if len(c.Command) == 0 {
		return nil, errors.New("needs a program, such as command = [\"/usr/local/bin/tell\"]")
	}
	return &command{c.Command[0], c.Command[1:]}, nil
}

// Send runs the program and waits for it.
func (c *command) Send(ctx context.Context, m *alerts.Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	content, err := json.Marshal(m)
	if err != nil {
		return err
	}
	program := exec.CommandContext(ctx, c.name, c.args...)
	program.Stdin = bytes.NewReader(append(content, '\n'))
	program.WaitDelay = time.Second
	err = program.Run()
	var ended *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s did not end within %s", c.name, sendTimeout)
	case errors.As(err, &ended):
		return fmt.Errorf("%s ended with %d", c.name, ended.ExitCode())
	case err != nil:
		return fmt.Errorf("%s does not start: %w", c.name, err)
	}
	return nil
}

// terminal writes to the terminal of `tarmac watch`.
type terminal struct {
	shown
	out io.Writer
}

// Send writes a message and rings the bell.
func (t *terminal) Send(_ context.Context, m *alerts.Message) error {
	_, err := fmt.Fprintf(t.out, "\a%s\n", strings.Join(t.lines(m), "\n"))
	return err
}
