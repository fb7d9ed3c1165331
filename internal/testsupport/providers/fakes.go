// Package providers lets programs reach fakes of the providers instead of the real ones.
package providers

import (
	"path/filepath"
	"testing"
	"time"

	"tarmac/internal/testsupport/providers/internet"
	"tarmac/internal/testsupport/providers/mercury"
	"tarmac/internal/testsupport/providers/simplefin"
)

// Fakes are fakes of the providers, and a user whose programs reach them.
type Fakes struct {
	Internet  *internet.Internet
	Mercury   *mercury.Server
	SimpleFIN *simplefin.Server
	Environ   []string // of the user's programs
	Dir       string   // directory of the user's data and settings
}

// New starts fakes that end with the test.
func New(t testing.TB) *Fakes {
	t.Helper()
	net, err := internet.New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = net.Close() })
	const bridge = "bridge.example.com"
	f := &Fakes{Internet: net, Mercury: mercury.New(time.Now), SimpleFIN: simplefin.New(bridge, time.Now),
		Dir: t.TempDir()}
	net.Handle(mercury.Host, f.Mercury)
	net.Handle(bridge, f.SimpleFIN)
	environ, err := net.Environment(filepath.Join(f.Dir, "authority.pem"))
	if err != nil {
		t.Fatal(err)
	}
	f.Environ = append(environ, "XDG_DATA_HOME="+filepath.Join(f.Dir, "data"),
		"XDG_CONFIG_HOME="+filepath.Join(f.Dir, "config"))
	return f
}
