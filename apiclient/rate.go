package apiclient

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Rate is what the server last said about its rate limit (headers RateLimit and
// RateLimit-Policy). At is when it said so, zero when it never did; Limit is 0
// when it did not say.
type Rate struct {
	Limit     int           // requests per window
	Window    time.Duration // 0 when it did not say
	Remaining int           // requests left
	ResetIn   time.Duration // counted from At, until more are given
	At        time.Time
}

// Rate returns what the server last said about its rate limit.
func (c *Client) Rate() Rate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rate
}

// noteRate keeps what an answer says about the limit, and returns it; the zero Rate
// where it says nothing.
func (c *Client) noteRate(h http.Header, now time.Time) Rate {
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

// parameter reads an integer parameter of the first item of a structured list
// such as "token";r=287;t=3.
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
