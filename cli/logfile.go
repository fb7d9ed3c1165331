package cli

import (
	"fmt"
	"log/slog"

	"tarmac/internal/privatefile"
)

// openLog opens the debug log of --log-file; without the flag the logger discards everything.
// The file is private, and one that others can read is refused: a log shows who looked at
// what and when.
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
