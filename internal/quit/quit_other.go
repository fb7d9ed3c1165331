//go:build !unix

// Package quit restores the terminal before SIGQUIT ends the process.
package quit

// Guard does nothing on systems without SIGQUIT.
func Guard(func()) (release func()) { return func() {} }
