package webhooks

import "tarmac/views"

var _ views.Keeper = (*Screen)(nil)

// Unfinished says that a signing secret would be lost: one that is on the screen, or
// waits to be, and was not handed to the clipboard, or one that an answer may bring.
func (s *Screen) Unfinished() string {
	switch {
	case s.mode == showing && !s.secret.copied:
		return "a signing secret is not shown again"
	case s.write.deed == create || s.write.deed == rotate:
		return "a signing secret is on its way"
	}
	return ""
}
