package ui

import (
	"os"

	"tarmac/client/download"
	"tarmac/client/export"
)

// Documents is where documents are saved and what names of files are of, and what
// shows one with the system's own program: nil where there is none, as over SSH.
type Documents struct {
	Places export.Places
	Open   func(path string) error
}

// NewDocuments returns the documents' place and program on a system (a
// runtime.GOOS) with that environment; lookPath is exec.LookPath. It asks the disk, and
// so is for the start of the program.
func NewDocuments(system string, getenv func(string) string, lookPath func(string) (string, error)) Documents {
	here, _ := os.Getwd() // without one a name stays as it was typed
	return Documents{
		Places: export.Places{Documents: download.Directory(getenv), Here: here, Home: download.Home(getenv)},
		Open:   download.Opener(system, getenv, lookPath),
	}
}
