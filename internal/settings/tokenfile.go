package settings

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"strings"
	"syscall"

	"tarmac/apiclient"
	"tarmac/internal/termtext"
)

const maxTokenFile = 4 << 10

// readToken reads a token from a file that its owner alone can read.
func readToken(path string) (apiclient.Token, error) {
	name := termtext.Line(path)
	// Asking before opening keeps devices from being touched; asking the open file
	// again keeps it from being exchanged in between. Without blocking, so that a
	// pipe which nobody writes to is refused instead of waited for.
	if info, err := os.Stat(path); err != nil {
		return "", unreadable(name, err)
	} else if err := checkFile(path, info); err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return "", unreadable(name, err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return "", unreadable(name, err)
	}
	if err := checkFile(path, info); err != nil {
		return "", err
	}
	content, err := io.ReadAll(io.LimitReader(f, maxTokenFile+1))
	if err != nil {
		return "", unreadable(name, err)
	}
	if len(content) > maxTokenFile {
		return "", tooLarge(name)
	}
	token := apiclient.Token(strings.TrimRight(string(content), "\r\n"))
	if err := token.Check(); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return token, nil
}

// checkFile refuses what cannot be a token file, and one that others can read.
func checkFile(path string, info fs.FileInfo) error {
	name := termtext.Line(path)
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", name)
	case info.Size() > maxTokenFile:
		return tooLarge(name)
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("others can read %s (mode %04o): chmod 600 %s", name, info.Mode().Perm(), shellWord(name))
	}
	return nil
}

func tooLarge(name string) error {
	return fmt.Errorf("%s is larger than %d KiB, which no token is", name, maxTokenFile>>10)
}

// unreadable names the file once: the system's error would name it uncleaned.
func unreadable(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fmt.Errorf("%s cannot be read: %w", name, err)
}

// shellWord quotes s where a shell would take it apart.
func shellWord(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./@%+=:,"
	if strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
