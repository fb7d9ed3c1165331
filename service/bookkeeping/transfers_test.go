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

func TestEqualAmountsAreProposedAndNotTaken(t *testing.T) {
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
	for _, file := range report.Files {
		if file.Statements[0].Transfers != 1 {
			t.Errorf("%s has %d transfers", file.File, file.Statements[0].Transfers)
		}
	}
}

func TestADecidedProposalIsRememberedAsARule(t *testing.T) {
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
			file := &rulesFile{text: "# mine\n"}
			b.RulesFile = file
			take(t, b, twoAccounts()...)

			change, err := b.DecideTransfer(t.Context(), transfersOf(t, b).Proposals[0].ID, test.accept)

			if err != nil || !strings.HasPrefix(file.text, "[[rule]]") || !strings.HasSuffix(file.text, "# mine\n") {
				t.Errorf("the change is %+v, %v, and the file %q", change, err, file.text)
			}
			after := transfersOf(t, b)
			if len(after.Transfers) != test.transfers || len(after.Proposals) > 0 {
				t.Errorf("then there are %+v", after)
			}
			checkLedger(t, b, test.want...)
			// The rule holds for a new import as well.
			imports, err := b.Imports(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := b.Undo(t.Context(), imports[0].ID); err != nil {
				t.Fatal(err)
			}
			take(t, b, twoAccounts()...)
			checkLedger(t, b, test.want...)
		})
	}
}

func TestADecisionKeepsWhatRulesSayAboutTheLine(t *testing.T) {
	b := newBooks(t)
	take(t, b, twoAccounts()...)
	contractor := "[[rule]]\nmatch = \"contractor\"\ncounterparty = \"Jo\"\ncategory = \"contractors\"\n"
	if _, err := b.EditRules(t.Context(), func(string) string { return contractor }); err != nil {
		t.Fatal(err)
	}

	if _, err := b.DecideTransfer(t.Context(), transfersOf(t, b).Proposals[0].ID, false); err != nil {
		t.Fatal(err)
	}

	if names := namesOf(t, b); !slices.Contains(names, "Jo/contractors") {
		t.Errorf("transactions are %q", names)
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
