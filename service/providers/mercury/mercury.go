// Package mercury reads a company's accounts at Mercury through Mercury's API, version 1.
// The types account, transaction and treasuryLine hold the fields that it reads. A field that is
// missing or has another form than Mercury documents is an error that names it.
package mercury

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"tarmac/internal/civil"
	"tarmac/internal/ownbooks"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
	"tarmac/service/statements/bank"
)

const (
	title    = "Mercury"
	host     = "api.mercury.com"
	currency = "USD" // Mercury states all balances and amounts in dollars

	every = 15 * time.Minute
	// answerTimeout is for one request of a reading, and balanceTimeout for the request of a
	// balance, on which a caller waits.
	answerTimeout  = 30 * time.Second
	balanceTimeout = 4 * time.Second

	tokenStart = "secret-token:"
)

// Kind describes Mercury.
func Kind() providers.Kind {
	return providers.Kind{
		ProviderKind: ownbooks.ProviderKind{
			Name: "mercury", Title: title, Every: every, Brings: "live balance and transactions of your Mercury account",
			TokenHelp: "An API token that can only read. Make one at Mercury: Settings, API Tokens, Read Only.",
		},
		Live: true, OwnFeed: true, TokenPattern: tokenStart + `[^\s"',;]+`, Check: checkToken,
		Open: func(client *wire.Client, token wire.Secret) (providers.Provider, error) {
			return &provider{client: client, token: token}, nil
		},
	}
}

// checkToken returns an error for a text that is no API token of Mercury.
func checkToken(token wire.Secret) error {
	text := token.Reveal()
	switch {
	case !strings.HasPrefix(text, tokenStart):
		return errors.New(`this is no API token of Mercury; copy the whole token, which begins with "secret-token:"`)
	case strings.Contains(text, "_sandbox_"):
		return errors.New(
			"this token is of Mercury's sandbox, which holds no real money; create one in your own account",
		)
	case strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' }):
		return errors.New("the token contains a character that tokens of Mercury do not have; copy it again")
	}
	return nil
}

// provider reads the accounts that one token can see.
type provider struct {
	client *wire.Client
	token  wire.Secret
}

// Accounts returns the accounts at Mercury, the treasury accounts, and the accounts that cannot be
// taken, with the reason.
func (p *provider) Accounts(ctx context.Context) (providers.Listing, error) {
	var listing providers.Listing
	accounts, err := p.deposits(ctx)
	if err != nil {
		return listing, providers.FailureOf(title, err)
	}
	treasuries, err := p.treasuries(ctx)
	if refused := new(refusal); errors.As(err, &refused) {
		listing.Notices = append(listing.Notices,
			"Mercury's treasury accounts are missing, because the token may not read them")
	} else if err != nil {
		return listing, err
	}
	for i := range accounts {
		if listing.Company == "" {
			listing.Company = bank.Text(accounts[i].LegalBusinessName)
		}
		if slices.ContainsFunc(treasuries, func(t account) bool { return t.ID == accounts[i].ID }) {
			continue // it is listed twice, and counts once
		}
		listed, err := accounts[i].listed()
		if err != nil {
			return listing, err
		}
		listing.Accounts = append(listing.Accounts, listed)
	}
	for i := range treasuries {
		listed, err := treasuries[i].treasury(i)
		if err != nil {
			return listing, err
		}
		listing.Accounts = append(listing.Accounts, listed)
	}
	cards, err := p.cards(ctx)
	if refused := new(refusal); err != nil && !errors.As(err, &refused) {
		return listing, err
	}
	for i := range cards {
		listing.Accounts = append(listing.Accounts, cards[i].card(i))
	}
	return listing, nil
}

// Balance returns the present balance of an account.
func (p *provider) Balance(ctx context.Context, id string) (providers.Balance, error) {
	if isTreasury(id) {
		treasuries, err := p.treasuries(ctx)
		if err != nil {
			return providers.Balance{}, providers.FailureOf(title, err)
		}
		for i := range treasuries {
			if treasuryID(treasuries[i].ID) == id {
				return treasuries[i].balance()
			}
		}
		return providers.Balance{}, gone()
	}
	var a account
	err := p.get(ctx, "/account/"+url.PathEscape(id), nil, balanceTimeout, &a)
	if refused := new(refusal); errors.As(err, &refused) && refused.status == http.StatusNotFound {
		return providers.Balance{}, gone()
	}
	if err != nil {
		return providers.Balance{}, providers.FailureOf(title, err)
	}
	if a.ID != id {
		return providers.Balance{}, malformed("it answered with another account than it was asked for")
	}
	return a.balance()
}

func gone() error {
	return &providers.Failure{
		Cause: providers.Malformed, Text: "Mercury no longer has this account; choose its accounts again",
	}
}

// Read returns the statements of accounts, the booked lines of which lie between request.Since and
// request.Until.
func (p *provider) Read(ctx context.Context, request providers.Request) (providers.Reading, error) {
	listing, err := p.Accounts(ctx)
	if err != nil {
		return providers.Reading{}, err
	}
	reading := providers.Reading{Notices: listing.Notices}
	byID := map[string]*providers.Statement{}
	for _, id := range request.Accounts {
		for i := range listing.Accounts {
			if a := &listing.Accounts[i]; a.ID == id {
				reading.Statements = append(reading.Statements, statementOf(a, request))
			}
		}
	}
	for i := range reading.Statements {
		byID[reading.Statements[i].Account] = &reading.Statements[i]
	}
	if err := p.readLines(ctx, request, byID); err != nil {
		return providers.Reading{}, err
	}
	for _, s := range byID {
		s.Lines = sortLines(s.Lines)
	}
	return reading, nil
}

// statementOf returns the statement of an account, without its lines.
func statementOf(a *providers.Account, request providers.Request) providers.Statement {
	today := civil.Of(request.Now)
	s := providers.Statement{Account: a.ID, First: request.Since, Last: request.Until}
	if a.Refused != "" {
		s.Incomplete = a.Name + ": " + a.Refused
	}
	if !request.Until.IsZero() {
		return s
	}
	s.Last, s.Present = today, a.Balance
	if a.Balance != nil {
		s.Closing = &bank.Balance{Minor: a.Balance.CurrentMinor, Date: today}
	}
	return s
}

// refusal is the error for a part of the data that the token may not read, or that is not there.
type refusal struct {
	status int
	err    error
}

func (r *refusal) Error() string { return r.err.Error() }
func (r *refusal) Unwrap() error { return r.err }

// get requests a path below /api/v1 and decodes the answer into v.
func (p *provider) get(ctx context.Context, path string, query url.Values, timeout time.Duration, v any) error {
	response, err := p.client.Do(ctx, wire.Request{
		Host: host, Path: "/api/v1" + path, Query: query, Bearer: p.token, Timeout: timeout,
	})
	if err == nil {
		err = response.JSON(host, v)
	}
	if err == nil {
		return nil
	}
	answer, ok := errors.AsType[*wire.Error](err)
	failure := providers.FailureOf(title, err)
	switch {
	case !ok || answer.Kind != wire.BadStatus, answer.Status == http.StatusTooManyRequests:
	case answer.Status >= 400 && answer.Status < 500 && !json.Valid(answer.Body):
		// A page of HTML comes from what stands before the API, and says nothing about the token.
		failure.Cause = providers.Unreachable
		failure.Text = fmt.Sprintf("a web page with status %d came in place of Mercury's answer", answer.Status)
	case answer.Status == http.StatusUnauthorized && errorCode(answer.Body) == "ipNotWhitelisted":
		failure.Text = "Mercury accepts this token only from certain addresses; create a Read Only token and connect again"
	case answer.Status == http.StatusForbidden, answer.Status == http.StatusNotFound:
		return &refusal{answer.Status, failure}
	}
	return failure
}

// errorCode returns the error code in the body of an error, or "".
func errorCode(body []byte) string {
	var answer struct {
		Errors struct {
			ErrorCode string `json:"errorCode"`
		} `json:"errors"`
	}
	_ = json.Unmarshal(body, &answer)
	return answer.Errors.ErrorCode
}

// malformed returns the failure for an answer that is not as documented.
func malformed(format string, args ...any) error {
	return &providers.Failure{
		Cause: providers.Malformed, Text: title + ": " + fmt.Sprintf(format, args...) + "; nothing was taken in",
	}
}
