package apiclient

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Rate is the rate limit that the server announced last in the headers RateLimit and
// RateLimit-Policy. Fields that it did not announce are zero.
type Rate struct {
	Limit     int           // number of requests per window
	Window    time.Duration // length of a window
	Remaining int           // number of requests left in the current window
	ResetIn   time.Duration // time from At until the next window
	At        time.Time
}

// Rate returns the rate limit that the server announced last. It returns the zero Rate if the
// server announced none.
func (c *Client) Rate() Rate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rate
}

// storeRate stores and returns the rate limit that the header of a response announces. If the
// header announces none, it returns the zero Rate and stores nothing.
func (c *Client) storeRate(h http.Header, now time.Time) Rate {
	remaining, ok := parameter(h.Get("RateLimit"), "r")
	if !ok {
		return Rate{}
	}
	reset, _ := parameter(h.Get("RateLimit"), "t")
	limit, _ := parameter(h.Get("RateLimit-Policy"), "q")
	window, _ := parameter(h.Get("RateLimit-Policy"), "w")
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rate = Rate{
		Limit: limit, Window: time.Duration(window) * time.Second,
		Remaining: remaining, ResetIn: time.Duration(reset) * time.Second, At: now,
	}
	return c.rate
}

// parameter returns an integer parameter of the first item in a header such as "token";r=287;t=3.
// It returns false if there is no such parameter.
func parameter(header, name string) (int, bool) {
	item, _, _ := strings.Cut(header, ",")
	for _, part := range strings.Split(item, ";") {
		key, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if key == name {
			n, err := strconv.ParseUint(value, 10, 31)
			return int(n), err == nil
		}
	}
	return 0, false
}
