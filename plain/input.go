package plain

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"tarmac/client/problem"
	"tarmac/internal/termtext"
)

// maxLineLength is the maximum length of an input line, in bytes.
const maxLineLength = 64 << 10

// typedLine is an input line, or the error that ended the input.
type typedLine struct {
	text string
	err  error
}

var errLong = errors.New("line too long, ignored")

// readLines reads lines in the background, so that ctrl+c can interrupt a wait for input.
func readLines(ctx context.Context, in io.Reader) <-chan typedLine {
	lines := make(chan typedLine)
	go func() {
		defer close(lines)
		r := bufio.NewReaderSize(in, maxLineLength)
		for {
			text, err := r.ReadSlice('\n')
			line := typedLine{text: string(text)}
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
				for errors.Is(err, bufio.ErrBufferFull) {
					_, err = r.ReadSlice('\n')
				}
				line = typedLine{err: errLong}
			case err != nil && len(text) == 0:
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// read prints a prompt and returns the line that the user types. It returns errEnd on ctrl+c and at
// the end of the input.
func (s *session) read(prompt string) (string, error) { return s.readLine(prompt, s.Echo) }

// readSecret is like read, but what the user types is not shown.
func (s *session) readSecret(prompt string) (string, error) {
	if s.HideInput != nil {
		show, err := s.HideInput()
		if err != nil {
			return "", s.answer("The terminal cannot hide what you type: %s", problem.Sentence(err.Error()))
		}
		defer s.write("\n")
		defer show()
	}
	return s.readLine(prompt, false)
}

// readLine prints a prompt and returns a line, and prints it again if echo is true.
func (s *session) readLine(prompt string, echo bool) (string, error) {
	for {
		s.waiting, s.paused = false, 0
		s.write(upperFirst(prompt) + ": ")
		if s.failure != nil {
			return "", errEnd
		}
		select {
		case line, ok := <-s.lines:
			switch {
			case !ok:
				s.write("\n")
				return "", errEnd
			case line.err != nil:
				s.write("\n")
				s.say("%s", problem.Sentence(line.err.Error()))
				continue
			}
			text := typedText(line)
			if echo {
				s.write(safe(text) + "\n")
			}
			return text, nil
		case <-s.Interrupts:
		case <-s.ctx.Done():
		}
		s.write("\n")
		return "", errEnd
	}
}

func typedText(line typedLine) string { return strings.TrimSpace(oneLine(line.text)) }

// oneLine returns text as one line, without control characters and without truncation.
func oneLine(text string) string { return strings.ReplaceAll(termtext.Block(text), "\n", " ") }

// confirm asks the user to type a word before an action that cannot be undone.
func (s *session) confirm(question, word string) (bool, error) {
	s.say("%s Type %s to confirm, anything else to cancel.", question, word)
	text, err := s.read("Confirm")
	if err != nil {
		return false, err
	}
	if !strings.EqualFold(text, word) {
		s.say("Nothing changed.")
		return false, nil
	}
	return true, nil
}
