//go:build unix

package serving

import (
	"bytes"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tarmac/cli/command"
)

func notifying(socket string) command.Env {
	return command.Env{Getenv: func(name string) string { return map[string]string{"NOTIFY_SOCKET": socket}[name] }}
}

func TestSystemdIsToldThatAServiceIsReady(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	listener, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	if err := listener.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}

	NotifyReady(notifying(socket), slog.New(slog.DiscardHandler))

	said := make([]byte, 64)
	n, err := listener.Read(said)
	if err != nil || string(said[:n]) != "READY=1" {
		t.Errorf("systemd is told %q, %v", said[:n], err)
	}
}

func TestAServiceServesThoughSystemdCannotBeTold(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))

	NotifyReady(notifying(""), logger)
	if log.Len() > 0 {
		t.Errorf("without systemd, the log says %s", log.String())
	}

	NotifyReady(notifying(filepath.Join(t.TempDir(), "nobody")), logger)
	if !strings.Contains(log.String(), "level=WARN") {
		t.Errorf("the log says %q", log.String())
	}
}
