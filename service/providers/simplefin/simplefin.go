// Package simplefin reads bank accounts from a SimpleFIN server, usually the SimpleFIN Bridge, by
// version 2 or 1 of the SimpleFIN protocol. The types in answer.go hold the fields that it reads. A
// missing or odd field is an error that names it; if it concerns one account, the others are read.
package simplefin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
)

const title = "SimpleFIN"

// The Bridge allows 24 requests in a day. One reading is one request.
const (
	every          = 6 * time.Hour
	daily, reserve = 24, 4
)

// mostDays is the largest number of days between the start and the end of a request. From 45 days
// on, the Bridge adds a warning to its answer.
const mostDays = 44

// answerTimeout is the time for an answer. The Bridge asks banks before it answers, and takes more
// than a minute for many accounts.
const answerTimeout = 2 * time.Minute

// Kind describes SimpleFIN.
func Kind() providers.Kind {
	return providers.Kind{
		ProviderKind: ownbooks.ProviderKind{
			Name: "simplefin", Title: title, Every: every, Brings: "accounts at banks, through the SimpleFIN Bridge",
			TokenHelp: "A setup token. Connect your bank at bridge.simplefin.org and create a new connection for an app " +
				"there. The token can be used once.",
		},
		TokenPattern: `aHR0cHM6Ly[\w+/=-]+`, // a URL in Base64

		Daily: daily, Reserve: reserve, Window: mostDays,
		Check: checkToken, Claim: claim, Open: open,
	}
}

// provider reads the accounts of one access URL.
type provider struct {
	client *wire.Client
	access access
}

// Accounts returns all accounts of the access with their balances.
func (p *provider) Accounts(ctx context.Context) (providers.Listing, error) {
	set, err := p.fetch(ctx, url.Values{"balances-only": {"1"}})
	if err != nil {
		return providers.Listing{}, err
	}
	return p.listing(set)
}

// Read returns the statements of accounts in one request. If the requested period is longer than 44
// days, the statements begin with a later day.
func (p *provider) Read(ctx context.Context, request providers.Request) (providers.Reading, error) {
	w := windowOf(request)
	query := url.Values{"start-date": {unix(w.first)}}
	if w.past {
		query.Set("end-date", unix(w.last.AddDays(1)))
	} else {
		query.Set("pending", "1")
	}
	set, err := p.fetch(ctx, query)
	if err != nil {
		return providers.Reading{}, err
	}
	return p.reading(set, request.Accounts, w)
}

// Balance fails: a SimpleFIN server knows the balances of its last visit to the bank.
func (p *provider) Balance(context.Context, string) (providers.Balance, error) {
	return providers.Balance{}, &providers.Failure{
		Cause: providers.Malformed, Text: "SimpleFIN has no balance of this moment",
	}
}

// window is the period that a request asks for.
type window struct {
	first, last civil.Date
	// past is true if the period ends before the present. Answers to such a request have neither
	// pending lines nor the present balance.
	past bool
	now  time.Time
}

func windowOf(request providers.Request) window {
	w := window{first: request.Since, last: civil.Of(request.Now), now: request.Now}
	end := w.last
	if !request.Until.IsZero() {
		w.past, w.last, end = true, request.Until, request.Until.AddDays(1)
	}
	if earliest := end.AddDays(-mostDays); w.first.Before(earliest) {
		w.first = earliest
	}
	return w
}

// unix returns the first moment of a day in UTC as a parameter of a request.
func unix(day civil.Date) string { return strconv.FormatInt(day.Time().Unix(), 10) }

// fetch requests the accounts and checks the shape of the answer.
func (p *provider) fetch(ctx context.Context, query url.Values) (*accountSet, error) {
	query.Set("version", "2")
	response, err := p.client.Do(ctx, wire.Request{
		Host: p.access.host, Path: p.access.path + "/accounts", Query: query,
		User: p.access.user, Password: p.access.password, Timeout: answerTimeout,
	})
	if err != nil {
		return nil, readFailure(err)
	}
	set := &accountSet{}
	if err := response.JSON(p.access.host, set); err != nil {
		return nil, providers.FailureOf(title, err)
	}
	if field := set.missing(); field != "" {
		return nil, malformed("the field %q is missing in its answer", field)
	}
	if set.denied() {
		return nil, denied()
	}
	return set, nil
}

// readFailure returns the failure for a request for accounts that failed with err. A page of HTML
// comes from something else than the server, and says nothing about the access.
func readFailure(err error) error {
	refused, ok := errors.AsType[*wire.Error](err)
	switch {
	case !ok:
	case isPage(refused.Body):
		return &providers.Failure{
			Cause: providers.Unreachable, RetryAfter: refused.RetryAfter,
			Text: fmt.Sprintf("a web page with status %d came in place of an answer of %s", refused.Status, refused.Host),
		}
	case refused.Status == http.StatusUnauthorized, refused.Status == http.StatusForbidden:
		return denied()
	}
	return providers.FailureOf(title, err)
}

// denied returns the failure for an access that ended.
func denied() error {
	return &providers.Failure{
		Cause: providers.Denied,
		Text: "SimpleFIN no longer accepts this connection: its access was revoked or disabled; create a new setup token " +
			"and connect SimpleFIN again",
	}
}

// malformed returns the failure for an answer that is not as documented.
func malformed(format string, args ...any) error {
	return &providers.Failure{
		Cause: providers.Malformed, Text: title + ": " + fmt.Sprintf(format, args...) + "; nothing was taken in",
	}
}
