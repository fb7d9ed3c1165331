package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"tarmac/cli/command"

	"github.com/charmbracelet/x/term"
)

// maxAnswer is the longest line that is read as an answer.
const maxAnswer = 8 << 10

var (
	errNoTerminal  = errors.New("there is no terminal to ask on")
	errInterrupted = errors.New("interrupted; nothing was changed")
)

// promptLine asks a person something on standard error and returns the line that is typed.
func promptLine(ctx context.Context, env command.Env, question string) (string, error) {
	if !command.IsTerminal(env.Stdin) {
		return "", errNoTerminal
	}
	fmt.Fprint(env.Stderr, question+" ")
	return typed(ctx, func() (string, error) { return firstLine(env.Stdin) })
}

// promptSecret is promptLine for what must not be seen while it is typed. The terminal stops
// showing before the question is asked, lest the answer of whoever is quick is seen,
// and shows again however it ends.
func promptSecret(ctx context.Context, env command.Env, question string) (string, error) {
	if !command.IsTerminal(env.Stdin) {
		return "", errNoTerminal
	}
	before, err := term.MakeRaw(env.Stdin.Fd())
	if err != nil {
		return "", fmt.Errorf("cannot ask: %w", err)
	}
	defer fmt.Fprintln(env.Stderr)
	defer func() { _ = term.Restore(env.Stdin.Fd(), before) }()
	fmt.Fprint(env.Stderr, question+" ")
	return typed(ctx, func() (string, error) { return hiddenLine(env.Stdin) })
}

// typed waits for an answer, or for a signal.
func typed(ctx context.Context, read func() (string, error)) (string, error) {
	type answer struct {
		text string
		err  error
	}
	answered := make(chan answer, 1)
	go func() {
		text, err := read()
		answered <- answer{text, err}
	}()
	select {
	case a := <-answered:
		return a.text, a.err
	case <-ctx.Done():
		return "", errInterrupted
	}
}

// firstLine reads up to the end of the first line.
func firstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, maxAnswer)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("cannot read standard input: %w", err)
	}
	return strings.TrimSpace(line), nil
}

// hiddenLine reads a line of a terminal that passes on every key as it is.
func hiddenLine(r io.Reader) (string, error) {
	const interrupt, endOfText, backspace, clear, remove = 0x03, 0x04, '\b', 0x15, 0x7f
	keys := bufio.NewReader(io.LimitReader(r, maxAnswer))
	var line []byte
	for {
		switch key, err := keys.ReadByte(); {
		case errors.Is(err, io.EOF) || err == nil && (key == '\r' || key == '\n' || key == endOfText):
			return strings.TrimSpace(string(line)), nil
		case err != nil:
			return "", fmt.Errorf("cannot read standard input: %w", err)
		case key == interrupt:
			return "", errInterrupted
		case key == clear:
			line = line[:0]
		case key == backspace || key == remove:
			line = line[:max(0, len(line)-1)]
		default:
			line = append(line, key)
		}
	}
}
