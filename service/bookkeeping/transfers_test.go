package bookkeeping_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"tarmac/service/bookkeeping"
	"tarmac/service/store"
)

// twoAccounts returns statements of October of two accounts. A customer pays 3,000 into the second
// on the day on which a contractor gets 3,000 from the first, and 700 move between the accounts.
func twoAccounts() []bookkeeping.Source {
	first := october(func(s *statement) {
		s.lines = []line{
			{"2026-10-05", "-3000.00", "1", "Contractor"}, {"2026-10-06", "-700.00", "2", "Transfer to ...4321"},
		}
	})
	second := october(func(s *statement) {
		s.account = "00987654321"
		s.lines = []line{{"2026-10-05", "3000.00", "1", "Customer"}, {"2026-10-07", "700.00", "2", "Deposit"}}
	})
	return []bookkeeping.Source{source("a.qfx", first.ofx()), source("b.qfx", second.ofx())}
}

// transfersOf returns the transfers and proposals.
func transfersOf(t *testing.T, b *bookkeeping.Books) bookkeeping.TransferReport {
	t.Helper()
	report, err := b.Transfers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestASuspectedTransferIsOutOfBurnUntilAnswered(t *testing.T) {
	b := newBooks(t)
	report := take(t, b, twoAccounts()...)

	got := transfersOf(t, b)

	if len(got.Transfers) != 1 || got.Transfers[0].Out.AmountMinor != 70000 ||
		got.Transfers[0].Out.Evidence != "account number" || got.Transfers[0].In.Evidence != "" {
		t.Errorf("transfers are %+v", got.Transfers)
	}
	if len(got.Proposals) != 1 || got.Proposals[0].Out.Text != "Contractor" || got.Proposals[0].In.Text != "Customer" {
		t.Errorf("proposals are %+v", got.Proposals)
	}
	checkLedger(t, b, "2026-10-05 +300000 Customer", "2026-10-05 -300000 Contractor")
	if got := namesOf(t, b); !slices.Equal(got, []string{"Customer/internal_transfer", "Contractor/internal_transfer"}) {
		t.Errorf("transactions are %q", got)
	}
	if got := burnOf(t, b); got != 0 {
		t.Errorf("burn is %d", got)
	}
	want := "3,000.00 USD left …6789 on 2026-10-05 (Contractor), and 3,000.00 USD reached …4321 on 2026-10-05 " +
		"(Customer): is it a transfer between your accounts?"
	if asked := questionsOf(t, b); !slices.Equal(asked, []string{want}) || len(report.Questions) != 1 {
		t.Errorf("asked are %q, at the import %+v", asked, report.Questions)
	}
	for _, file := range report.Files {
		if file.Statements[0].Transfers != 1 {
			t.Errorf("%s has %d transfers", file.Name, file.Statements[0].Transfers)
		}
	}
}

// The import of the second file asks, whichever side it has.
func TestTheImportThatCompletesASuspectedTransferAsks(t *testing.T) {
	for _, last := range []int{0, 1} {
		b := newBooks(t)
		take(t, b, twoAccounts()[1-last])

		report := take(t, b, twoAccounts()[last])

		if len(report.Questions) != 1 || len(report.Files[0].Problems) != 1 {
			t.Errorf("with file %d: %+v, %q", last, report.Questions, report.Files[0].Problems)
		}
	}
}

func TestADecidedTransferIsRemembered(t *testing.T) {
	for name, test := range map[string]struct {
		accept    bool
		transfers int
		want      []string
	}{
		"accepted": {true, 2, nil},
		"rejected": {false, 1, []string{"2026-10-05 +300000 Customer", "2026-10-05 -300000 Contractor"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBooks(t)
			take(t, b, twoAccounts()...)

			change, err := b.DecideTransfer(t.Context(), transfersOf(t, b).Proposals[0].ID, test.accept)

			if err != nil || change.ChangedRows != 2 {
				t.Errorf("the change is %+v, %v", change, err)
			}
			check := func() {
				t.Helper()
				after := transfersOf(t, b)
				if len(after.Transfers) != test.transfers || len(after.Proposals) > 0 {
					t.Errorf("there are %+v", after)
				}
				checkLedger(t, b, test.want...)
				if names := strings.Join(namesOf(t, b), " "); strings.Contains(names, "internal_transfer") {
					t.Errorf("transactions are %q", names)
				}
				for _, text := range questionsOf(t, b) {
					if strings.Contains(text, "transfer") {
						t.Errorf("it is asked again: %s", text)
					}
				}
			}
			check()
			imports, err := b.Imports(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Undo(t.Context(), imports[0].ID); err != nil {
				t.Fatal(err)
			}
			take(t, b, twoAccounts()[1])
			take(t, b, twoAccounts()[0])
			check()
		})
	}
}

func TestAnAnswerAboutATransferCanBeChanged(t *testing.T) {
	b := newBooks(t)
	take(t, b, twoAccounts()...)
	pair := transfersOf(t, b).Proposals[0]
	if _, err := b.Answer(t.Context(), pair.Question, "no"); err != nil {
		t.Fatal(err)
	}
	// Meanwhile the same amount has also reached another account.
	third := october(func(s *statement) {
		s.account = "00987650000"
		s.lines = []line{{"2026-10-05", "3000.00", "1", "Another"}}
	})
	take(t, b, source("c.qfx", third.ofx()))

	if _, err := b.DecideTransfer(t.Context(), pair.ID, true); err != nil {
		t.Fatal(err)
	}

	if got := transfersOf(t, b).Transfers; len(got) != 2 || got[0].Out.Evidence != "answer" {
		t.Errorf("transfers are %+v", got)
	}
	checkLedger(t, b, "2026-10-05 +300000 Another")
}

func TestMoneyThatPaysAnInvoiceIsNoSuspectedTransfer(t *testing.T) {
	for text, asked := range map[string]string{"Customer INV-7": "", "Customer": "which invoice does it pay"} {
		b := newBooks(t)
		take(t, b, source("open.csv", "As of October 1, 2026\n\nNumber,Customer,Issued,Due,Currency,Amount due\n"+
			"INV-7,Customer,2026-09-15,2026-10-14,USD,3000.00\n"))
		files := twoAccounts()
		second := october(func(s *statement) {
			s.account = "00987654321"
			s.lines = []line{{"2026-10-05", "3000.00", "1", text}}
		})

		take(t, b, files[0], source("b.qfx", second.ofx()))

		if got := transfersOf(t, b).Proposals; len(got) > 0 {
			t.Errorf("%s: proposals are %+v", text, got)
		}
		if questions := strings.Join(questionsOf(t, b), " "); !strings.Contains(questions, asked) {
			t.Errorf("%s: asked are %q", text, questions)
		}
	}
}

func TestAnUnknownProposalCannotBeDecided(t *testing.T) {
	b := newBooks(t)
	take(t, b, twoAccounts()...)

	_, err := b.DecideTransfer(t.Context(), transfersOf(t, b).Transfers[0].ID, false)

	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("error is %v", err)
	}
}

func TestMoneyInTransitIsListed(t *testing.T) {
	b := newBooks(t)
	files := twoAccounts()
	second := october(func(s *statement) {
		s.account, s.last = "00987654321", "2026-10-05"
		s.lines = []line{{"2026-10-05", "1.00", "1", "Interest"}}
	})

	take(t, b, files[0], source("b.qfx", second.ofx()))

	got := transfersOf(t, b)
	if len(got.InTransit) != 1 || got.InTransit[0].AmountMinor != 70000 || got.InTransit[0].Direction != "outflow" ||
		got.InTransit[0].Other != "…4321" || !got.InTransit[0].Held {
		t.Errorf("in transit is %+v", got.InTransit)
	}
}
