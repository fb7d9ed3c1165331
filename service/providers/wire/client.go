package wire

// Client sends requests to providers. It is safe for concurrent use.
type Client struct{}
