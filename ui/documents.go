package ui

import (
	"os"

	"tarmac/client/download"
	"tarmac/client/export"
)

// Documents says where documents are saved, where relative file names lead, and which program opens
// a document (nil if there is none, as over SSH).
type Documents struct {
	Places export.Directories
	Open   func(path string) error
}

// NewDocuments returns the places and the viewer for a system (a runtime.GOOS) and environment;
// lookPath is exec.LookPath. It accesses the disk, so call it at program start.
func NewDocuments(system string, getenv func(string) string, lookPath func(string) (string, error)) Documents {
	here, _ := os.Getwd() // without a working directory, names stay as typed
	return Documents{
		Places: export.Directories{Documents: download.Directory(getenv), Current: here, Home: download.Home(getenv)},
		Open:   download.Opener(system, getenv, lookPath),
	}
}
