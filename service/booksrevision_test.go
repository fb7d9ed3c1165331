package service_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"tarmac/internal/civil"
	"tarmac/service/access"
	"tarmac/service/bookkeeping"
	"tarmac/service/providers"
	"tarmac/service/statements/bank"
	"tarmac/service/store"
	"tarmac/service/syncing"
)

const revisionPath = "/api/books/v1/revision"

func (f *fixture) revision(secret string) string {
	f.t.Helper()
	got := f.get(secret, revisionPath)
	var answer struct{ Revision string }
	if err := json.Unmarshal(got.body, &answer); err != nil || got.status != http.StatusOK || answer.Revision == "" {
		f.t.Fatalf("%d %s", got.status, got.body)
	}
	return answer.Revision
}

func TestTheRevisionOfOwnBooksChangesWithThemAlone(t *testing.T) {
	f := start(t, 0)
	a, b := f.tenant("a"), f.tenant("b")
	first, other := f.revision(a.secret), f.revision(b.secret)

	f.importFiles(a, year.source())

	if again := f.revision(a.secret); again == first || f.revision(a.secret) != again {
		t.Errorf("the revision was %s and is %s", first, again)
	}
	if again := f.revision(b.secret); again != other {
		t.Errorf("the other organization's revision was %s and is %s", other, again)
	}
}

func TestTheRevisionOfOwnBooksNeedsATokenAndNoScope(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")

	f.revision(f.token(a, access.EventFeedRead))

	f.refused("without a token", f.get("", revisionPath), http.StatusUnauthorized, "missing API token")
	f.refused("with a query", f.get(a.secret, revisionPath+"?x=1"), http.StatusBadRequest,
		`unknown query parameter "x"`)
}

// bankReading is a reading of one account: a booked line of October and further lines.
func bankReading(blank, closing string, lines ...string) bookkeeping.Source {
	text := fmt.Sprintf(`{"account":%s"4455660731","currency":"USD","bank":"Mercury","from":"2026-10-01",`+
		`"to":"2026-11-20","closing":"%s","closing_date":"2026-11-20"}`+"\n"+
		`{"account":"4455660731","date":"2026-10-15","amount":"-500.00","currency":"USD","description":"Rent","id":"a"}`+
		"\n", blank, closing)
	for _, line := range lines {
		text += line + "\n"
	}
	return textFile("mercury", text)
}

const pendingLine = `{"account":"4455660731","date":"2026-11-20","amount":"-20.00","currency":"USD",` +
	`"description":"Cafe","id":"b","pending":true}`

// readBank imports a reading of a connection.
func (f *fixture) readBank(a tenant, reading bookkeeping.Source, invoices *providers.Invoices) {
	f.t.Helper()
	b, err := f.service.Books(f.t.Context(), a.id)
	if err == nil {
		_, err = b.Import(f.t.Context(), []bookkeeping.Source{reading}, bookkeeping.Options{AcceptResidual: true,
			Feed: &bookkeeping.Feed{Connection: "con_1", Provider: "mercury", Title: "Mercury", Invoices: invoices}})
	}
	if err != nil {
		f.t.Fatal(err)
	}
}

func TestTheRevisionOfOwnBooksChangesWithWhateverTheySay(t *testing.T) {
	funded := bankFile{
		account: "990011223", first: "2026-08-01", last: "2026-10-31",
		lines: append(monthly(8, 10, "-41500.00", "Gusto"), "2026-09-03 25000.00 Ada Ventures",
			"2026-09-04 25000.00 Blue Capital", "2026-09-10 25000.00 Jo Angel", "2026-10-02 25000.00 Max Angel"),
	}
	openItems := textFile("open.csv", "number,customer,issued,due,currency,amount due\n"+
		"7,Acme,2026-09-01,2026-10-01,USD,5.00\n")
	openItems.Options = bank.Options{AsOf: civil.MustParse("2026-09-30")}
	for name, change := range map[string]func(f *fixture, a tenant, b *bookkeeping.Books) error{
		"a balance in a reading": func(f *fixture, a tenant, _ *bookkeeping.Books) error {
			f.readBank(a, bankReading("", "4000.00"), nil)
			return nil
		},
		"a pending line": func(f *fixture, a tenant, _ *bookkeeping.Books) error {
			f.readBank(a, bankReading("", "5000.00", pendingLine), nil)
			return nil
		},
		"a paid invoice": func(f *fixture, a tenant, _ *bookkeeping.Books) error {
			f.readBank(a, bankReading("", "5000.00"), &providers.Invoices{
				Paid: []providers.Invoice{{ID: "in_1", OpenItem: bank.OpenItem{Number: "7", Currency: "USD"}, TotalMinor: 500}},
			})
			return nil
		},
		"an open invoice": func(f *fixture, a tenant, _ *bookkeeping.Books) error {
			f.importFiles(a, openItems)
			return nil
		},
		"a rate": func(f *fixture, a tenant, _ *bookkeeping.Books) error {
			f.importFiles(a, textFile("rates.csv", "date,currency,usd\n2026-05-04,EUR,1.10\n"))
			return nil
		},
		"an answer": func(_ *fixture, _ tenant, b *bookkeeping.Books) error {
			questions, err := b.Questions(t.Context())
			if err != nil {
				return err
			}
			_, err = b.Answer(t.Context(), questions[0].ID, questions[0].Choices[0].Answer)
			return err
		},
		"an account's name": func(_ *fixture, _ tenant, b *bookkeeping.Books) error {
			_, err := b.Rename(t.Context(), "990011223", "Seed money")
			return err
		},
		"an import that is undone": func(_ *fixture, _ tenant, b *bookkeeping.Books) error {
			imports, err := b.Imports(t.Context())
			if err == nil {
				_, err = b.Undo(t.Context(), imports[0].ID)
			}
			return err
		},
		"a connection": func(f *fixture, a tenant, _ *bookkeeping.Books) error {
			return connectStub(t, f.database, f.keyFile, a.id)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := start(t, 0)
			a := f.tenant("a")
			f.importFiles(a, funded.source())
			f.readBank(a, bankReading("", "5000.00"), nil)
			b, err := f.service.Books(t.Context(), a.id)
			if err != nil {
				t.Fatal(err)
			}
			before := f.revision(a.secret)

			err = change(f, a, b)

			if after := f.revision(a.secret); err != nil || after == before {
				t.Errorf("the revision was %s and is %s, %v", before, after, err)
			}
		})
	}
}

func TestTheRevisionOfOwnBooksStaysWithoutNews(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	f.readBank(a, bankReading("", "5000.00", pendingLine), nil)
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}
	syncStub(t, f.database, f.keyFile, a.id)
	before := f.revision(a.secret)

	f.readBank(a, bankReading("  ", "5000.00", pendingLine), nil)
	f.clock.advance(time.Hour)
	syncStub(t, f.database, f.keyFile, a.id)

	if after := f.revision(a.secret); after != before {
		t.Errorf("the revision was %s and is %s", before, after)
	}
}

func TestTheRevisionOfOwnBooksChangesWithTheStateOfAConnection(t *testing.T) {
	f := start(t, 0)
	a := f.tenant("a")
	if err := connectStub(t, f.database, f.keyFile, a.id); err != nil {
		t.Fatal(err)
	}
	syncStub(t, f.database, f.keyFile, a.id)
	before := f.revision(a.secret)

	var err error
	withStub(t, f.database, f.keyFile, a.id, func(s *syncing.Syncer, org store.OrgKey) {
		err = s.Disconnect(t.Context(), org, "stub", false)
	})

	if after := f.revision(a.secret); err != nil || after == before {
		t.Errorf("the revision was %s and is %s, %v", before, after, err)
	}
}
