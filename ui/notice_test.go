package ui

import (
	"strings"
	"testing"
	"time"

	"tarmac/theme"
	"tarmac/views"
)

func TestANoticeStaysForAMomentAndIsClean(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	var n notice
	n.show(views.Notice{Text: "copied\x1b]52;c;x\a INV-1\n"}, now)
	if line := n.line(theme.New(true)); strings.ContainsAny(line, "\a\n") || !strings.Contains(line, "INV-1") {
		t.Errorf("%q", line)
	}
	n.expire(now.Add(noticeLasts - time.Millisecond))
	if n.text == "" {
		t.Error("it went early")
	}
	n.expire(now.Add(noticeLasts))
	if n.text != "" {
		t.Error("it stays")
	}
}
