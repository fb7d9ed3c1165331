// Package providers defines what the service reads from banks and invoicing services over the
// network. Each subpackage reads one of them: service/providers/simplefin, mercury and stripe. They
// have no database, no clock and no goroutines of their own; service/syncing calls them and imports
// what they return.
package providers

import (
	"context"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/providers/wire"
	"tarmac/service/statements/bank"
)

// Kind describes a provider: how people know it, how often it may be asked, and how to connect to
// it.
type Kind struct {
	ownbooks.ProviderKind
	// Daily is the largest number of requests in 24 hours, and Reserve is the part of it that is
	// kept for readings that a person asks for. A Daily of 0 means no limit.
	Daily, Reserve int
	// Window is the largest number of days that a request may cover. If it is not 0, one reading
	// has several requests for the history before the last Window days (Request.Until).
	Window int
	// Live is true if the provider can be asked for a balance at any time.
	Live bool
	// OwnFeed is true if transactions belong to the service's own feed (source "svc") instead of a
	// linked bank.
	OwnFeed bool
	// TokenPattern is a regular expression for its tokens, which no error message may repeat.
	TokenPattern string
	// Check returns an error that tells the user what is wrong with a token, before anything is
	// sent. It never contains the token.
	Check func(token wire.Secret) error
	// Claim exchanges a token that can be used once for the credential that is stored. It is nil if
	// the token itself is the credential.
	Claim func(ctx context.Context, client *wire.Client, token wire.Secret) (wire.Secret, error)
	// Open returns the provider for a stored credential. It sends nothing.
	Open func(client *wire.Client, credential wire.Secret) (Provider, error)
}

// Provider reads one company's data at a provider. Its methods make as few requests as the provider
// allows, never repeat a request that failed, and return errors as *Failure.
type Provider interface {
	// Accounts returns all accounts that the credential can see, with their balances.
	Accounts(ctx context.Context) (Listing, error)
	// Read returns the statements of accounts. An account that the provider no longer has is
	// missing in Reading.Statements.
	Read(ctx context.Context, request Request) (Reading, error)
	// Balance returns the present balance of an account. Only providers with Kind.Live have it.
	Balance(ctx context.Context, account string) (Balance, error)
}

// Listing is the answer to Provider.Accounts.
type Listing struct {
	Company  string // legal name of the company; "" if the provider does not say
	Accounts []Account
	Notices  []string // remarks for the user, each a clean sentence without secrets
}

// Account is an account at a provider.
type Account struct {
	ID string // provider's id, unique within the connection
	bank.Account
	Currency string   // ISO 4217; "" if the account's unit is no such currency
	Balance  *Balance // nil if the provider did not say
	// Refused says in words why the account cannot be taken, such as "its unit is no currency"; ""
	// if it can be taken.
	Refused string
}

// Balance is the balance of an account at a moment. Amounts are in minor units of the account's
// currency.
type Balance struct {
	CurrentMinor   int64     // booked balance
	AvailableMinor int64     // what can be spent
	At             time.Time // time for which the provider states the balance, in UTC; zero if it does not say
}

// Request says what Provider.Read shall read.
type Request struct {
	Accounts []string   // provider's account ids; ignored by providers of invoices
	Since    civil.Date // first day
	Until    civil.Date // last day; zero for everything until now
	// PendingSince is the day of the oldest pending line in the books; zero if there is none.
	PendingSince civil.Date
	Now          time.Time // present time, in UTC
	// Invoices are the provider's ids of the open invoices in the books. Those that are no longer
	// open are looked up one by one.
	Invoices []string
}

// Reading is the answer to Provider.Read. It is complete: if a part is missing, Read fails or the
// statement says so in Incomplete.
type Reading struct {
	Statements []Statement
	Invoices   *Invoices // nil for providers of accounts
	Notices    []string  // remarks for the user, each a clean sentence without secrets
	SignIn     []string  // clean names of the banks at which a person has to sign in again
}

// Statement is what a provider says about an account over a period of days.
type Statement struct {
	Account string // Account.ID
	// First and Last are the days of which the statement has all lines that the provider has. They
	// may be fewer than requested, and are zero if there are none.
	First, Last civil.Date
	// Closing is the booked balance at the end of Closing.Date; nil if the provider did not say.
	Closing *bank.Balance
	Lines   []bank.Line // booked and pending lines, with Line.ID set
	// Incomplete says in words why the statement must not be imported, such as an error at the
	// bank; "" if it is complete.
	Incomplete string
	// Present is the balance at the time of the reading, for the account's live balance; nil if the
	// provider did not say.
	Present *Balance
}

// Invoices are a provider's invoices at a moment.
type Invoices struct {
	Open []Invoice
	Paid []Invoice // those of Request.Invoices that were paid
	Gone []string  // ids in Request.Invoices that are void, written off or deleted
	// Later are the ids in Request.Invoices that were not looked up, because there were too many
	// for one reading. The next reading gets them in Request.Invoices again.
	Later []string
}

// Invoice is an invoice at a provider of invoices.
type Invoice struct {
	ID string
	bank.OpenItem
	Email      string     // customer's e-mail address; "" if the provider did not say
	TotalMinor int64      // total in minor units; of a paid invoice, the money that was paid for it
	PaidOn     civil.Date // zero for an open invoice
}
