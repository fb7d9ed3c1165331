// Package apiclient is a client of the Organization Finance Client API. It reads an
// organization's finances, proposes invoices and manages webhook endpoints. Package
// apiclient/webhook receives the deliveries.
//
//	client, err := apiclient.New("https://finance.example.com", apiclient.Token(secret))
//	account, err := client.Account(ctx)
//
// # Money
//
// Amounts are int64 minor units, cents for USD; floating point is never used. Unknown is
// not zero: an Amount tells whether it is known and prints a dash if it is not. Other
// figures that may be missing are pointers.
//
// # Responses
//
// All strings of a response are cleaned of control sequences and invisible characters, so
// that they are safe to print. Unknown fields are ignored. Unknown values of an enumeration
// are kept; the Known methods tell them apart. A missing required field is a
// *ContractError, never a zero. An unreadable record of a list keeps its place with its id
// and the reason (see Invoice.Unreadable); the list fails only if no record is readable.
// Where the API leaves field names open (ping, event list, totals of the aging, payment
// intents, webhook endpoints and deliveries) the client accepts several names and returns
// the remaining fields as they are.
//
// # Errors
//
// A response with an error status is an *Error, which errors.Is matches with the sentinels
// ErrUnauthorized, ErrForbidden, ErrNotFound, ErrInvalid, ErrConflict, ErrUnprocessable,
// ErrRateLimited, ErrUnavailable and ErrRedirected. A response that breaks the API's
// contract is a *ContractError. A missing response is a *NetworkError, which matches
// ErrNetwork. No error, log line or printed client contains the token, a signing secret, a
// query or the user information of a URL.
//
// # Writes
//
// ProposeInvoice and the operations that change webhook endpoints send their request once,
// over a connection of its own, and never retry. Errors that match ErrOutcomeUnknown leave
// open whether the write was carried out: check what exists before sending it again. After
// any other error it was not: the server refused it with an *Error, or nothing was sent.
//
// # Time
//
// A call takes at most the client's timeout, including retries: 15 seconds unless
// WithTimeout sets another. It ends earlier if its context does. Reads are tried three times
// on network errors, 429, 502, 503 and 504, and twice on 500, with growing random pauses
// that respect Retry-After. If the server asks for a longer pause than the call has left,
// the error comes at once with RetryAfter set.
//
// After a 429 response all reads of the client wait for its Retry-After, or two seconds and
// more without one. If the server announces its rate limit, reads keep to it. They wait
// within the call, or fail with Held set: see Policy.Countdown, Client.Held and
// WithLowPriority. Writes are never held back.
//
// A Client is safe for concurrent use. A Tailer is not.
package apiclient
