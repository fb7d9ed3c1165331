// Package apiclient reads an organization's finances, proposes invoices and keeps
// webhook endpoints through the Organization Finance Client API, under /api/ext/v1
// of a base URL. Package apiclient/webhook is for those who receive the deliveries.
//
//	client, err := apiclient.New("https://finance.example.com", apiclient.Token(secret))
//	account, err := client.Account(ctx)
//
// # Money
//
// Amounts are int64 minor units, cents for USD, and no floating-point number
// touches them. What the server does not know is not zero: an Amount says whether
// it is known and prints a dash where it is not; other figures that may be absent
// are pointers.
//
// # What comes in
//
// Every string of an answer is cleaned with termtext.Line when it is decoded, so
// that nothing a counterparty wrote can reach the terminal as a control sequence.
// Unknown fields are ignored and unknown values of an enumeration are kept (see
// their Known methods). A field that the API requires and the answer lacks is a
// *ContractError, never a zero. In a list such a record takes no other with it: it keeps
// its place with its id and the reason (see Invoice.Unreadable), and only a list of which
// nothing could be read is an error. Where the API leaves the names of fields open (ping,
// event list, totals of the aging, payment intents, webhook endpoints and deliveries) the
// answer is read tolerantly and shown as it came.
//
// # Errors
//
// An answer with another status than the operation's is an *Error, which matches
// the sentinels ErrUnauthorized, ErrForbidden, ErrNotFound, ErrInvalid, ErrConflict,
// ErrUnprocessable, ErrRateLimited, ErrUnavailable and ErrRedirected with
// errors.Is. An answer that is not what the API promises is a *ContractError. No
// answer at all is a *NetworkError, which matches ErrNetwork. No error, log line or
// printed client contains the token, a signing secret, a query or user information
// of a URL.
//
// # Writes
//
// ProposeInvoice and the operations that change webhook endpoints are sent once,
// over a connection of their own, and never again by themselves. Whatever goes
// wrong after something was sent matches ErrOutcomeUnknown: look at what is there
// before sending it again. An *Error that does not match it is a refusal, and any
// other error that does not means that nothing was sent.
//
// # Time
//
// A call takes at most the client's timeout (15 seconds unless WithTimeout says
// otherwise), its retries included; a context that ends earlier ends it at once.
// Reads are tried three times on network errors, 429, 502, 503 and 504, and twice
// on 500, with growing random pauses and never before a Retry-After has passed.
// When the server asks for a longer pause than the call has left, the error comes
// back at once with RetryAfter set.
//
// After a 429 no read of the client is sent before its Retry-After has passed, two
// seconds and more where there is none, whoever asks; and where the server says what
// it allows, reads are sent no faster. They wait inside the call, or come back with
// Held set: see Policy.Countdown, Client.Held and GiveWay. Writes are always sent.
//
// A Client is safe for concurrent use. A Tailer is not.
package apiclient
