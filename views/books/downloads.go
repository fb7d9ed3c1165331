package books

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"tarmac/internal/money"
	"tarmac/internal/ownbooks"
	"tarmac/internal/plural"
	"tarmac/theme"
)

// downloadsDirectory is the folder where browsers save files.
const downloadsDirectory = "~/Downloads"

// downloads lists the bank files in the folder of downloads. The user ticks those to import.
type downloads struct {
	files  []ownbooks.BankFile
	marked map[string]bool // by path
	cursor int
	listed bool   // keys move in the list and not in the prompt
	search uint64 // number of the latest search; results of earlier searches are ignored
}

// downloadsMsg is the result of looking for bank files.
type downloadsMsg struct {
	number uint64
	files  []ownbooks.BankFile
}

// findDownloads returns the command that looks for bank files. A folder that can't be read isn't an
// error, because the user can still type paths.
func (s *Screen) findDownloads() tea.Cmd {
	d := &s.intake.downloads
	d.search++
	books, directory, number := s.books, s.env.Places.Absolute(downloadsDirectory), d.search
	parent, timeout := s.env.Context, s.env.Timeout
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(parent, timeout)
		defer cancel()
		files, _ := books.BankFiles(ctx, directory)
		return downloadsMsg{number, files}
	}
}

// storeDownloads lists the files that were found. In the first import, they are ticked.
func (s *Screen) storeDownloads(msg downloadsMsg) {
	d := &s.intake.downloads
	if msg.number != d.search {
		return
	}
	if d.marked == nil {
		d.marked = map[string]bool{}
		for _, f := range msg.files {
			d.marked[f.Path] = s.intake.first
		}
		d.listed = len(msg.files) > 0 && s.intake.names.Value() == ""
	}
	d.files = msg.files
	d.cursor = max(0, min(d.cursor, len(d.files)-1))
	d.listed = d.listed && len(d.files) > 0
	if s.mode == naming {
		s.focusNames()
	}
}

// switchToNames moves the keys to the list or to the prompt.
func (s *Screen) switchToNames(listed bool) {
	s.intake.downloads.listed = listed
	s.focusNames()
}

// ticked returns the paths of the ticked files.
func (d *downloads) ticked() (paths []string) {
	for _, f := range d.files {
		if d.marked[f.Path] {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// summary returns where the files are, and how many will be read.
func (d *downloads) summary() string {
	return "In " + downloadsDirectory + ": " + money.Count(int64(len(d.ticked()))) + " of " +
		plural.Count(len(d.files), "file") + " ticked. Nothing is imported before you say yes."
}

func (d *downloads) tick() {
	if d.cursor < len(d.files) {
		path := d.files[d.cursor].Path
		d.marked[path] = !d.marked[path]
	}
}

func (d *downloads) move(by int) { d.cursor = max(0, min(d.cursor+by, len(d.files)-1)) }

// lines draws the list, and returns the index of the line with the cursor.
func (d *downloads) lines(t theme.Theme, width int) (lines []string, at int) {
	for n, f := range d.files {
		box := "[ ] "
		if d.marked[f.Path] {
			box = "[x] "
		}
		line := fit(box+f.Name+"  "+f.Format, width)
		if n == d.cursor && d.listed {
			at = n
			line = t.Selected.Render(line)
		}
		lines = append(lines, line)
	}
	return lines, at
}
