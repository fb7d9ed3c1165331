package service

import (
	"context"
	"log/slog"
)

// utcTimes hands log records on with their times in UTC, as all times of the
// service are, wherever the server stands.
type utcTimes struct{ slog.Handler }

// Handle implements slog.Handler.
func (h utcTimes) Handle(ctx context.Context, r slog.Record) error {
	r.Time = r.Time.UTC()
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h utcTimes) WithAttrs(attrs []slog.Attr) slog.Handler {
	return utcTimes{h.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (h utcTimes) WithGroup(name string) slog.Handler { return utcTimes{h.Handler.WithGroup(name)} }
