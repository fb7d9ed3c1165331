package books

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service/statements"
	"tarmac/service/statements/bank"
)

// Limits for looking at the files of a directory: how many, and how many bytes of each.
const (
	mostLookedAt = 500
	lookedAt     = 4 << 10
)

// BankFiles returns those of the newest files in a directory whose beginning is that of a known
// format. A directory that does not exist has none.
func (s forScreens) BankFiles(ctx context.Context, directory string) (found []ownbooks.BankFile, err error) {
	entries, err := os.ReadDir(directory)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, pathReason(err)
	}
	var files []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() && !strings.HasPrefix(info.Name(), ".") {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, info := range files[:min(len(files), mostLookedAt)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		path := filepath.Join(directory, info.Name())
		if format, ok := s.formatOf(ctx, path); ok {
			found = append(found, ownbooks.BankFile{Path: path, Name: termtext.Line(info.Name()), Format: format})
		}
	}
	return found, nil
}

// formatOf returns what people call files of a file's format, by its beginning.
func (s forScreens) formatOf(ctx context.Context, path string) (title string, ok bool) {
	file, err := OpenFile(path)
	if err != nil {
		return "", false
	}
	defer file.Close()
	head, err := io.ReadAll(io.LimitReader(file, lookedAt))
	if err != nil {
		return "", false
	}
	format, ok, err := statements.Detect(bank.NewBudget(ctx), head, civil.Of(s.now()))
	return format.Title, ok && err == nil
}
