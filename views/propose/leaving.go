package propose

import "tarmac/views"

var (
	_ views.Saver  = (*Screen)(nil)
	_ views.Keeper = (*Screen)(nil)
)

// Unfinished says that an answer would not be seen. The draft knows that it was sent,
// so that the invoice is looked for the next time.
func (s *Screen) Unfinished() string {
	if s.stage == sending {
		return "a proposal is being sent"
	}
	return ""
}

// Release gives the draft's place to whoever opens it next. What was typed is saved by
// Flush, before.
func (s *Screen) Release() error {
	if s.keeping.store == nil {
		return nil
	}
	return s.keeping.store.Close()
}
