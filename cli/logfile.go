package cli

import (
	"fmt"
	"log/slog"

	"tarmac/internal/privatefile"
)

// openLog opens the debug log that --log-file names, and returns a logger that
// drops everything when it names none. The file is the person's own: it is made
// for them alone, and one that others can read is refused, because a log tells
// when somebody looked at what.
func openLog(path string) (logger *slog.Logger, closeLog func(), err error) {
	if path == "" {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	file, err := privatefile.Append(path)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open the log file: %w", err)
	}
	handler := slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: inUTC})
	return slog.New(handler), func() { file.Close() }, nil
}
