package ui

import (
	"os"

	"tarmac/client/download"
	"tarmac/client/export"
)

// Documents holds the directories for saved files, and the function that opens a file in the
// system's viewer. Open is nil if there is no viewer, for example over SSH.
type Documents struct {
	Places export.Directories
	Open   func(path string) error
}

// NewDocuments returns the directories and the viewer for system, a value of runtime.GOOS, and an
// environment. lookPath is exec.LookPath. It accesses the disk, so call it when the program starts.
func NewDocuments(system string, getenv func(string) string, lookPath func(string) (string, error)) Documents {
	here, _ := os.Getwd() // if the working directory is unknown, relative names are used as typed
	return Documents{
		Places: export.Directories{Documents: download.Directory(getenv), Current: here, Home: download.Home(getenv)},
		Open:   download.Opener(system, getenv, lookPath),
	}
}
