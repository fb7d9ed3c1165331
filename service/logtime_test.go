package service

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestLogTimesAreUTC(t *testing.T) {
	var out bytes.Buffer
	at := time.Date(2026, 11, 21, 1, 0, 0, 0, time.FixedZone("", 13*3600))
	var h slog.Handler = utcTimes{slog.NewTextHandler(&out, nil)}
	for _, h := range []slog.Handler{h, h.WithAttrs([]slog.Attr{slog.Int("a", 1)}), h.WithGroup("g")} {
		out.Reset()
		if err := h.Handle(t.Context(), slog.NewRecord(at, slog.LevelInfo, "request", 0)); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(out.String(), "time=2026-11-20T12:00:00.000Z ") {
			t.Errorf("logged %s", out.String())
		}
	}
}
