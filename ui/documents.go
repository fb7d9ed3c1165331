package ui

import (
	"os"

	"tarmac/client/download"
	"tarmac/client/export"
)

// Documents holds the directories for saved files and the function that opens a file in the viewer
// of the system. Open is nil if there is no viewer, as over SSH.
type Documents struct {
	Places export.Directories
	Open   func(path string) error
}

// NewDocuments returns the directories and the viewer for a system (a runtime.GOOS) and an
// environment; lookPath is exec.LookPath. It accesses the disk, so call it at program start.
func NewDocuments(system string, getenv func(string) string, lookPath func(string) (string, error)) Documents {
	here, _ := os.Getwd() // without a working directory, names stay as typed
	return Documents{
		Places: export.Directories{Documents: download.Directory(getenv), Current: here, Home: download.Home(getenv)},
		Open:   download.Opener(system, getenv, lookPath),
	}
}
