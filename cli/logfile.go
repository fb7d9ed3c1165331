package cli

import (
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"syscall"
)

// openLog opens the debug log that --log-file names, and returns a logger that
// drops everything when it names none. The file is the person's own: it is made
// for them alone, and one that others can read is refused, because a log tells
// when somebody looked at what.
func openLog(path string) (logger *slog.Logger, closeLog func(), err error) {
	if path == "" {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	// Without blocking, so that a pipe which nobody reads is refused instead of waited for.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot open the log file: %w", err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("the log file %s is not a regular file", path)
	}
	// Windows keeps access in lists that the mode does not show.
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		err = fmt.Errorf("others can read the log file %s (mode %04o): chmod 600 %s", path, info.Mode().Perm(), path)
	}
	if err != nil {
		file.Close()
		return nil, nil, err
	}
	handler := slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: inUTC})
	return slog.New(handler), func() { file.Close() }, nil
}
