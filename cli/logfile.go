package cli

import (
	"fmt"
	"log/slog"

	"tarmac/cli/serving"
	"tarmac/internal/privatefile"
)

// openLog opens the debug log named by the flag --log-file. Without the flag, the logger discards
// all messages. openLog refuses a file that other users can read, because the log shows who looked
// at which data and when.
func openLog(path string) (logger *slog.Logger, closeLog func(), err error) {
	if path == "" {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	file, err := privatefile.Append(path)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open the log file: %w", err)
	}
	handler := slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: serving.InUTC})
	return slog.New(handler), func() { file.Close() }, nil
}
