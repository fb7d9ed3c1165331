package command

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"

	"tarmac/internal/quit"
)

// maxAnswer is the maximum length of an answer, in bytes.
const maxAnswer = 8 << 10

// Errors of PromptLine and PromptSecret.
var (
	ErrNoTerminal  = errors.New("there is no terminal to prompt on")
	ErrInterrupted = errors.New("interrupted; nothing was changed")
)

// PromptLine asks a question on standard error and returns the line that the user types.
func PromptLine(ctx context.Context, env Env, question string) (string, error) {
	if !IsTerminal(env.Stdin) {
		return "", ErrNoTerminal
	}
	fmt.Fprint(env.Stderr, question+" ")
	return awaitAnswer(ctx, func() (string, error) { return FirstLine(env.Stdin) })
}

// PromptSecret asks a question and returns a line that is typed without echo. It turns echo off
// before it prints the question, so that early typing stays hidden, and always turns echo on again.
func PromptSecret(ctx context.Context, env Env, question string) (string, error) {
	if !IsTerminal(env.Stdin) {
		return "", ErrNoTerminal
	}
	before, err := term.MakeRaw(env.Stdin.Fd())
	if err != nil {
		return "", fmt.Errorf("cannot ask: %w", err)
	}
	defer fmt.Fprintln(env.Stderr)
	restore := func() { _ = term.Restore(env.Stdin.Fd(), before) }
	defer restore()
	defer quit.Guard(restore)()
	fmt.Fprint(env.Stderr, question+" ")
	return awaitAnswer(ctx, func() (string, error) { return hiddenLine(env.Stdin) })
}

// awaitAnswer waits until read returns or ctx ends.
func awaitAnswer(ctx context.Context, read func() (string, error)) (string, error) {
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
		return "", ErrInterrupted
	}
}

// FirstLine returns the first line of r, without leading and trailing spaces.
func FirstLine(r io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(r, maxAnswer)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("cannot read standard input: %w", err)
	}
	return strings.TrimSpace(line), nil
}

// hiddenLine reads a line from a terminal in raw mode. It handles the keys that edit or cancel the
// line.
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
			return "", ErrInterrupted
		case key == clear:
			line = line[:0]
		case key == backspace || key == remove:
			line = line[:max(0, len(line)-1)]
		default:
			line = append(line, key)
		}
	}
}
