package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"
)

// maxAnswer is the longest line that is read as an answer.
const maxAnswer = 8 << 10

// ask asks a person something on standard error and returns the line that is
// typed; a hidden answer is not shown while it is. A signal ends the waiting and
// leaves the terminal as it was.
func (s Surroundings) ask(ctx context.Context, question string, hidden bool) (string, error) {
	if s.Stdin == nil || !term.IsTerminal(s.Stdin.Fd()) {
		return "", errNoTerminal
	}
	before, err := term.GetState(s.Stdin.Fd())
	if err != nil {
		return "", fmt.Errorf("cannot ask: %w", err)
	}
	fmt.Fprint(s.Stderr, question+" ")
	type outcome struct {
		text string
		err  error
	}
	answered := make(chan outcome, 1)
	go func() {
		if hidden {
			text, err := term.ReadPassword(s.Stdin.Fd())
			answered <- outcome{string(text), err}
			return
		}
		text, err := firstLine(s.Stdin)
		answered <- outcome{text, err}
	}()
	select {
	case got := <-answered:
		if hidden {
			fmt.Fprintln(s.Stderr)
		}
		return strings.TrimSpace(got.text), got.err
	case <-ctx.Done():
		_ = term.Restore(s.Stdin.Fd(), before)
		fmt.Fprintln(s.Stderr)
		return "", errors.New("nothing was changed: ended by a signal")
	}
}

var errNoTerminal = errors.New("there is no terminal to ask on")

// firstLine reads up to the end of the first line.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, maxAnswer)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("cannot read standard input: %w", err)
	}
	return strings.TrimSpace(line), nil
}
