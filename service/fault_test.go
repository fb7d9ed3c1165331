package service

import (
	"bytes"
	"crypto/rand"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/internal/panics"
)

// The service ends as after a signal, and the log has the place of the panic.
func TestAPanicInABackgroundLoopEndsServe(t *testing.T) {
	broken := func() time.Time { panic("Acme LLC owes 1,234.56") }
	for name, plant := range map[string]func(s *Service){
		"service.(*upkeep)":   func(s *Service) { s.upkeep.now = broken },
		"service/outbox.(*ru": func(s *Service) { s.outbox.Now = broken },
	} {
		t.Run(name, func(t *testing.T) {
			var logs bytes.Buffer
			s, err := Open(t.Context(), Config{
				Database: filepath.Join(t.TempDir(), "tarmac.db"), Ephemeral: true,
				Logger: slog.New(slog.NewJSONHandler(&logs, nil)),
				Now:    time.Now, Entropy: rand.Reader, Contract: []byte("openapi: 3.1.0\n"), Version: "test",
			})
			if err != nil {
				t.Fatal(err)
			}
			plant(s)
			ln, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			var fault *panics.Fault
			if err := s.Serve(t.Context(), ln, nil); !errors.As(err, &fault) || !strings.Contains(err.Error(), name) ||
				strings.Contains(err.Error(), "Acme") {
				t.Errorf("Serve = %v", err)
			}
			if text := logs.String(); !strings.Contains(text, `"level":"ERROR"`) || !strings.Contains(text, name) ||
				strings.Contains(text, "Acme") {
				t.Errorf("the log says %s", text)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
