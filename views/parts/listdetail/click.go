package listdetail

// ListSeen reports whether the list is visible, alone or beside the detail.
func (f *Frame) ListSeen() bool { return f.seen != detail }
