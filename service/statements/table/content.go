package table

// detectContent is detectHeader for files without a header.
func detectContent(text string) (*layout, bool) { return nil, false }
