package ui

import "tarmac/views/download"

// Documents is where documents are saved, and what shows one with the system's own
// program: nil where there is none, as over SSH.
type Documents struct {
	Directory string
	Open      func(path string) error
}

// NewDocuments returns the documents' place and program on a system (a
// runtime.GOOS) with that environment; lookPath is exec.LookPath.
func NewDocuments(system string, getenv func(string) string, lookPath func(string) (string, error)) Documents {
	return Documents{Directory: download.Directory(getenv), Open: download.Opener(system, getenv, lookPath)}
}
