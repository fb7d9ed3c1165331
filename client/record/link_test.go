package record_test

import (
	"strings"
	"testing"

	"tarmac/client/record"
	"tarmac/internal/testsupport/hostile"
)

func TestOnlyPlainAddressesAreLinks(t *testing.T) {
	for text, want := range map[string]string{
		"https://hooks.example.com/a?b=1": "https://hooks.example.com/a?b=1",
		"http://hooks.example.com":        "", "javascript:alert(1)": "", "file:///etc/passwd": "", "": "",
		"https://user:secret@example.com": "", "https://example.com/a b": "", "https://exämple.com": "",
		"https://example.com/\x1b]8;;x\x07": "", "https://example.com/" + strings.Repeat("a", 2100): "",
	} {
		if got := record.Text("url", "URL", text).Link(); got != want {
			t.Errorf("%q leads to %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"pay@aurelia.example": "mailto:pay@aurelia.example", "a.b+c-d_e@x.example": "mailto:a.b+c-d_e@x.example",
		"a@b@c": "", "@b": "", "a@": "", "a b@c": "", "a@b?cc=x@y": "", "a@b\x07": "", "ä@b.example": "",
		strings.Repeat("a", 300) + "@b": "",
	} {
		if got := record.Text("recipient_email", "E-mail", text).Link(); got != want {
			t.Errorf("%q leads to %q, want %q", text, got, want)
		}
	}
	if got := record.Text("memo", "Memo", "https://example.com").Link(); got != "" {
		t.Errorf("a memo leads to %q", got)
	}
	for _, attack := range hostile.Texts() {
		for _, name := range []string{"url", "logo_url", "recipient_email"} {
			got := record.Text(name, "", "https://example.com/"+attack.Value).Link()
			if strings.ContainsFunc(got, func(r rune) bool { return r <= ' ' || r >= 0x7f }) {
				t.Errorf("%s: %q", attack.Name, got)
			}
		}
	}
}
