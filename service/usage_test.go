package service

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestAPanicWhileWritingUsesIsLoggedAndUsesAreStillWritten(t *testing.T) {
	var log bytes.Buffer
	u := newUsage(nil, slog.New(slog.NewTextHandler(&log, nil)))
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	u.record(1, now)
	u.close()
	logged := log.String()
	if strings.Count(logged, "fault=") != 1 || !strings.Contains(logged, "service.(*usage).write") {
		t.Errorf("the log says %q", logged)
	}
	u.record(2, now) // once closed, nobody waits
	u.close()
}
