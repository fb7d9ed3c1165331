package record

import (
	"net/url"
	"strings"
)

// longestLink is the maximum length of an address that a terminal is sent, in bytes.
const longestLink = 2000

// Link returns the address that the text of the field leads to: a page or a mailbox. It returns ""
// for other fields, and for texts that are not such an address without doubt. Addresses have only
// printable ASCII characters and name no user of a page.
func (f Field) Link() string {
	switch f.Name {
	case "url", "logo_url":
		if isPage(f.text) {
			return f.text
		}
	case "recipient_email":
		if isMailbox(f.text) {
			return "mailto:" + f.text
		}
	}
	return ""
}

// isPage reports whether a text is the address of a page that needs no name of a user.
func isPage(text string) bool {
	outside := func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '\\' }
	if len(text) > longestLink || strings.ContainsFunc(text, outside) {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && u.Scheme == "https" && u.Hostname() != "" && u.User == nil
}

// isMailbox reports whether a text is a plain e-mail address: letters, digits and a few signs that
// mean nothing in an address of a page.
func isMailbox(text string) bool {
	const longest = 254
	user, host, ok := strings.Cut(text, "@")
	strange := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune(".+-_", r)
	}
	return ok && user != "" && host != "" && len(text) <= longest && !strings.ContainsFunc(user+host, strange)
}
