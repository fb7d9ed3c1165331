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

func TestWhatIsTooLongIsNotCopied(t *testing.T) {
	m := New(t.Context(), Options{Now: time.Now})
	if msg, ok := m.copy(views.Copy{What: "the list", Text: strings.Repeat("x", mostCopied+1)})().(views.Notice); !ok || !msg.Problem {
		t.Errorf("%+v", msg)
	}
	m.copy(views.Copy{What: "the number", Text: "INV-000001"})
	if m.notice.problem || !strings.Contains(m.notice.text, "the number") {
		t.Errorf("%+v", m.notice)
	}
}
