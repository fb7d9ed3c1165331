// Package stripe reads the open invoices of a Stripe account, and which of them were paid.
// The type invoice holds the fields that it reads, as Stripe describes version apiVersion. A
// missing or odd field is an error that names it.
package stripe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"tarmac/internal/ownbooks"
	"tarmac/service/providers"
	"tarmac/service/providers/wire"
)

const (
	title = "Stripe"
	host  = "api.stripe.com"
	path  = "/v1/invoices"
	// apiVersion is the version of Stripe's API whose fields this package reads. Without it, Stripe
	// answers in a version that depends on the account.
	apiVersion = "2026-08-26.dahlia"
)

const (
	every = time.Hour
	// pageSize is the largest number of invoices that Stripe returns at once.
	pageSize = 100
	// maxPages is the largest number of pages in one reading.
	maxPages = 500
	// maxLookups is the largest number of invoices that one reading asks for one by one. The others
	// are left for the next reading.
	maxLookups = 200
)

// Kind describes Stripe.
func Kind() providers.Kind {
	return providers.Kind{
		ProviderKind: ownbooks.ProviderKind{
			Name: "stripe", Title: title, Every: every, Brings: "open invoices at Stripe",
			TokenHelp: "A restricted key (rk_live_…) that can only read Invoices. Make one at Stripe: Developers, API keys, " +
				"Create restricted key.",
		},
		TokenPattern: `\b[rs]k_(live|test)_\w+`, Check: checkKey, Open: open,
	}
}

// provider reads the invoices that a restricted key can see.
type provider struct {
	client *wire.Client
	key    wire.Secret
	live   bool // false if the key is for Stripe's test data
}

// Accounts makes sure that the key can read invoices. Stripe has no bank accounts to list.
func (p *provider) Accounts(ctx context.Context) (providers.Listing, error) {
	if _, err := p.fetchPage(ctx, 1, ""); err != nil {
		return providers.Listing{}, err
	}
	return providers.Listing{Notices: p.testNotice()}, nil
}

// Read returns the open invoices, and looks up those of the request that are no longer open.
func (p *provider) Read(ctx context.Context, request providers.Request) (providers.Reading, error) {
	r := &reading{provider: p, seen: map[string]bool{}, notices: p.testNotice(), found: &providers.Invoices{}}
	if err := r.list(ctx); err != nil {
		return providers.Reading{}, err
	}
	if err := r.lookUp(ctx, request.Invoices); err != nil {
		return providers.Reading{}, err
	}
	return providers.Reading{Invoices: r.found, Notices: r.notices}, nil
}

// Balance fails: the package reads no balances.
func (p *provider) Balance(context.Context, string) (providers.Balance, error) {
	return providers.Balance{}, &providers.Failure{Cause: providers.Malformed, Text: "no balance is read from Stripe"}
}

// testNotice returns the notice that the invoices are not real, if the key is for test data.
func (p *provider) testNotice() []string {
	if p.live {
		return nil
	}
	return []string{"the key is for Stripe's test data, so these invoices are not real; they pay no invoice of yours"}
}

// reading holds the invoices of one reading.
type reading struct {
	*provider
	seen    map[string]bool // ids in the list of open invoices
	found   *providers.Invoices
	notices []string
}

// list reads all pages of the list of open invoices, newest invoice first.
func (r *reading) list(ctx context.Context) error {
	after := ""
	for range maxPages {
		page, err := r.fetchPage(ctx, pageSize, after)
		if err != nil {
			return err
		}
		for n := range *page.Data {
			i := &(*page.Data)[n]
			switch {
			case i.Status != statusOpen:
				return malformed("an invoice in its list of open invoices is %q", shownStatus(i.Status))
			case r.seen[i.ID]:
				return malformed("its list of open invoices has the same invoice twice")
			}
			r.seen[i.ID] = true
			if err := r.addOpen(i); err != nil {
				return err
			}
			after = i.ID
		}
		if !*page.HasMore {
			return nil
		}
		if len(*page.Data) == 0 {
			return malformed("its list of open invoices has an empty page before its end")
		}
	}
	return malformed("it has more than %d open invoices", maxPages*pageSize)
}

// lookUp asks for each of the given invoices that is not in the list of open invoices.
func (r *reading) lookUp(ctx context.Context, ids []string) error {
	ids = slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return r.seen[id] })
	if len(ids) > maxLookups {
		ids, r.found.Later = ids[:maxLookups], ids[maxLookups:]
	}
	for _, id := range ids {
		i, err := r.fetchOne(ctx, id)
		if err != nil {
			return err
		}
		if err := r.addFormerlyOpen(id, i); err != nil {
			return err
		}
	}
	return nil
}

// addOpen adds an open invoice.
func (r *reading) addOpen(i *invoice) error {
	item, err := i.item(*i.Remaining)
	if err != nil {
		return r.leaveOut(i, err)
	}
	r.found.Open = append(r.found.Open, item)
	return nil
}

// addFormerlyOpen adds an invoice that was open in the reading before. i is nil if Stripe no longer
// has it.
func (r *reading) addFormerlyOpen(id string, i *invoice) error {
	switch {
	case i == nil, i.Status == statusVoid:
		r.found.Gone = append(r.found.Gone, id)
	case i.Status == statusUncollectible:
		r.found.Gone = append(r.found.Gone, id)
		r.notices = append(r.notices, fmt.Sprintf("the invoice %s is marked as uncollectible at Stripe, and no longer "+
			"counts as open", i.name()))
	case i.Status == statusOpen:
		return r.addOpen(i)
	case i.Status == statusPaid && !r.live:
		r.found.Gone = append(r.found.Gone, id)
	case i.Status == statusPaid:
		return r.addPaid(i)
	default:
		return malformed("an invoice that was open is %q", shownStatus(i.Status))
	}
	return nil
}

// addPaid adds an invoice that was paid.
func (r *reading) addPaid(i *invoice) error {
	if i.Transitions.Paid == nil {
		return missing("status_transitions.paid_at")
	}
	paid, ok := dayOf(*i.Transitions.Paid)
	if !ok {
		return malformed("the field %q is no date", "status_transitions.paid_at")
	}
	item, err := i.item(0)
	if err != nil {
		return r.leaveOut(i, err)
	}
	item.PaidOn = paid
	// Credits may have paid a part. Then the money does not agree with the total.
	if item.TotalMinor, err = minor(*i.Paid, item.Currency); err != nil {
		return r.leaveOut(i, err)
	}
	r.found.Paid = append(r.found.Paid, item)
	return nil
}

// leaveOut adds a notice if err says that the invoice's currency cannot have its amount. It returns
// other errors.
func (r *reading) leaveOut(i *invoice, err error) error {
	reason, ok := errors.AsType[amountError](err)
	if !ok {
		return err
	}
	r.notices = append(r.notices, fmt.Sprintf("the invoice %s at Stripe is left out: %s", i.name(), reason))
	return nil
}

// fetchPage requests a page of the list of open invoices that begins after an invoice.
func (p *provider) fetchPage(ctx context.Context, limit int, after string) (*page, error) {
	query := url.Values{"status": {statusOpen}, "limit": {fmt.Sprint(limit)}}
	if after != "" {
		query.Set("starting_after", after)
	}
	got := &page{}
	if err := p.fetch(ctx, path, query, got); err != nil {
		return nil, err
	}
	return got, got.check(p.live)
}

// fetchOne requests an invoice. It returns nil if Stripe does not have it.
func (p *provider) fetchOne(ctx context.Context, id string) (*invoice, error) {
	got := &invoice{}
	err := p.fetch(ctx, path+"/"+id, nil, got)
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if got.ID != id {
		return nil, malformed("it answered with another invoice")
	}
	return got, got.check("", p.live)
}

// fetch requests a resource and decodes it.
func (p *provider) fetch(ctx context.Context, path string, query url.Values, to any) error {
	response, err := p.client.Do(ctx, wire.Request{
		Host: host, Path: path, Query: query, Bearer: p.key, Header: http.Header{"Stripe-Version": {apiVersion}},
	})
	if err != nil {
		return failureOf(err)
	}
	if err := response.JSON(host, to); err != nil {
		return providers.FailureOf(title, err)
	}
	return nil
}
