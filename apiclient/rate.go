package apiclient

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Rate is the rate limit that the server last announced in the headers RateLimit and
// RateLimit-Policy. Fields that it did not announce are zero.
type Rate struct {
	Limit     int           // requests per window
	Window    time.Duration // the length of a window
	Remaining int           // requests left in this window
	ResetIn   time.Duration // time from At until the next window
	At        time.Time
}

// Rate returns the rate limit that the server last announced.
func (c *Client) Rate() Rate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rate
}

// storeRate stores and returns the rate limit that a response's header announces. If it announces
// none, storeRate returns the zero Rate and stores nothing.
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

// parameter returns an integer parameter of the first item in a structured list such as
// "token";r=287;t=3.
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
