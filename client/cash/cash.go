// Package cash reads an organization's cash position together with what decides whether its
// estimate can be believed.
package cash

import (
	"context"
	"errors"

	"tarmac/apiclient"
	"tarmac/client/figures"
	"tarmac/internal/civil"
)

// Source lists the API requests that Read makes. *apiclient.Client implements it.
type Source interface {
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
	TransactionPage(ctx context.Context, q apiclient.TransactionQuery) (*apiclient.TransactionPage, error)
}

// Read returns the cash position. If the server estimates a burn or its absence, Read also requests
// the number of transactions of these months that have no USD rate, and, if the absence depends on
// it, how many of them are money out. If the token may not read transactions, the server's word
// stands.
func Read(ctx context.Context, source Source) (figures.Cash, error) {
	c, err := source.CashPosition(ctx)
	if err != nil {
		return figures.Cash{}, err
	}
	if !c.Sufficient || c.Status == apiclient.AccountNotOpen || !figures.IsPlausible(c.AsOf) {
		return figures.CashOf(c, figures.Window{}), nil
	}
	first, last := figures.WindowDates(c.AsOf)
	query := apiclient.TransactionQuery{From: first, To: last, Limit: 1}
	page, err := source.TransactionPage(ctx, query)
	if errors.Is(err, apiclient.ErrForbidden) {
		return figures.CashOf(c, figures.Window{}), nil
	}
	if err != nil {
		return figures.Cash{}, err
	}
	window := figures.WindowOf(c, page.Summary, 0)
	if window.NeedsMoneyOut(c) {
		query.Direction = apiclient.Outflow
		if page, err = source.TransactionPage(ctx, query); err != nil {
			return figures.Cash{}, err
		}
		window.NoRateOut = page.Summary.UnconvertedCount
	}
	return figures.CashOf(c, window), nil
}

// Coverage returns which days the statements of all accounts cover. If the server has no cash
// position that the client may and can read, and does not say it with the reason, all days count as
// covered. Coverage returns the error if the server does not accept the token, limits the rate or
// cannot be reached.
func Coverage(ctx context.Context, source interface {
	CashPosition(ctx context.Context) (*apiclient.CashPosition, error)
}, today civil.Date) (figures.Coverage, error) {
	c, err := source.CashPosition(ctx)
	for _, fatal := range [...]error{
		apiclient.ErrUnauthorized, apiclient.ErrRateLimited, apiclient.ErrNetwork, ctx.Err(),
	} {
		if fatal != nil && errors.Is(err, fatal) {
			return figures.Coverage{}, err
		}
	}
	if err != nil {
		return figures.CoverageOfError(err, today), nil
	}
	return figures.CoverageOf(c), nil
}
