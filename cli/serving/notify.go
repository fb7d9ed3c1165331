package serving

import (
	"log/slog"
	"net"

	"tarmac/cli/command"
)

// NotifyReady tells systemd that the service answers, so that `systemctl start` returns only now
// (sd_notify(3), for units with Type=notify). It does nothing if systemd did not ask for it.
func NotifyReady(env command.Env, logger *slog.Logger) {
	socket := env.Getenv("NOTIFY_SOCKET")
	if socket == "" {
		return
	}
	conn, err := net.Dial("unixgram", socket)
	if err == nil {
		defer func() { _ = conn.Close() }()
		_, err = conn.Write([]byte("READY=1"))
	}
	if err != nil {
		logger.Warn("systemd could not be told that the service is ready", "error", err)
	}
}
