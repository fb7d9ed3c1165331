package resource

import (
	"errors"
	"time"

	"tarmac/apiclient"
)

// RetryAt returns when to retry after err, with so many earlier failures in a row: after
// the server's Retry-After, else after two seconds, doubling to thirty. A refused token or
// a missing scope waits a minute. It returns the zero time if err is nil.
func RetryAt(now time.Time, err error, before int) time.Time {
	var api *apiclient.Error
	switch {
	case err == nil:
		return time.Time{}
	case errors.Is(err, apiclient.ErrUnauthorized), errors.Is(err, apiclient.ErrForbidden):
		return now.Add(time.Minute)
	case errors.As(err, &api) && api.RetryAfter > 0:
		return now.Add(api.RetryAfter)
	}
	return now.Add(min(30*time.Second, 2*time.Second<<min(before, 4)))
}
