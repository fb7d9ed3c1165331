package bookkeeping_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/testsupport/long"
	"tarmac/service/bookkeeping"
)

// drawSuspicious draws the lines of two months of three accounts. Few amounts, days and payees make
// many pairs that could be transfers.
func drawSuspicious(t *rapid.T) (files []bookkeeping.Source) {
	for n, account := range []string{"00123456789", "00987654321", "00555000333"} {
		for _, month := range []string{"2026-09", "2026-10"} {
			s := statement{account: account, first: month + "-01", last: month + "-30"}
			for i := range rapid.IntRange(0, 4).Draw(t, "lines") {
				s.lines = append(s.lines, line{
					day:    fmt.Sprintf("%s-%02d", month, rapid.SampledFrom([]int{2, 3, 15, 29}).Draw(t, "day")),
					amount: rapid.SampledFrom([]string{"-3000.00", "3000.00", "-1500.00", "1500.00", "-20.00"}).Draw(t, "amount"),
					id:     fmt.Sprint(month, i),
					name:   rapid.SampledFrom([]string{"Wire 17", "Deposit", "Jo", "Transfer to ...4321"}).Draw(t, "name"),
				})
			}
			files = append(files, source(fmt.Sprintf("%d-%s.qfx", n, month), s.ofx()))
		}
	}
	return files
}

// again returns a file that was read before.
func again(file bookkeeping.Source) bookkeeping.Source {
	if _, err := file.Content.Seek(0, 0); err != nil {
		panic(err)
	}
	return file
}

// Whatever order files are imported and undone in, and whenever the user answers, the books follow
// from the files and the answers.
func TestAnswersAboutTransfersCommuteWithImports(t *testing.T) {
	long.Cases(t, 3, 15)
	shared := newBooks(t)
	rapid.Check(t, func(t *rapid.T) {
		files := drawSuspicious(t)
		k := &companyBooks{T: t, company: &company{}, b: newCompanyBooks(t, shared)}
		imported := map[string]string{} // imports by file
		importFile := func(file bookkeeping.Source) {
			report, err := k.b.Import(t.Context(), []bookkeeping.Source{again(file)}, bookkeeping.Options{})
			if err != nil || report.Failed() || report.Import == "" {
				t.Fatalf("importing %s: %+v, %v", file.Name, report, err)
			}
			imported[file.Name] = string(report.Import)
		}
		answers := map[string]bool{} // by id of the pair
		answerSome := func() {
			report, err := k.b.Transfers(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range report.Proposals {
				if rapid.IntRange(0, 2).Draw(t, "answer") == 0 {
					answers[p.ID] = rapid.Bool().Draw(t, "is transfer")
					if _, err := k.b.DecideTransfer(t.Context(), p.ID, answers[p.ID]); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		check := func() {
			if different, err := k.b.DerivedAnew(t.Context()); different != 0 || err != nil {
				t.Fatalf("%d transactions are not as if all were derived anew, %v", different, err)
			}
		}
		for _, file := range rapid.Permutation(files).Draw(t, "order") {
			importFile(file)
			answerSome()
			check()
			if rapid.IntRange(0, 3).Draw(t, "undo") == 0 {
				undone := rapid.SampledFrom(files).Draw(t, "file")
				if id := imported[undone.Name]; id != "" {
					if _, err := k.b.Undo(t.Context(), id); err != nil {
						t.Fatal(err)
					}
					delete(imported, undone.Name)
					check()
				}
			}
		}
		for _, file := range files {
			if imported[file.Name] == "" {
				importFile(file)
			}
		}
		check()
		got, listed := k.picture(), transfersText(t, k.b)

		// The same files and answers, in their order.
		for _, file := range files {
			if _, err := k.b.Undo(t.Context(), imported[file.Name]); err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range files {
			importFile(file)
		}

		if want, wanted := k.picture(), transfersText(t, k.b); got != want || listed != wanted {
			t.Fatalf("the books are:\n%s%s\nwant:\n%s%s", got, listed, want, wanted)
		}
		for id, own := range answers {
			if strings.Contains(listed, "proposed "+id) || strings.Contains(listed, "pair "+id) && !own {
				t.Fatalf("%s was answered with %v:\n%s", id, own, listed)
			}
		}
	})
}

// transfersText describes the transfers.
func transfersText(t *rapid.T, b *bookkeeping.Books) string {
	report, err := b.Transfers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range report.Transfers {
		lines = append(lines, "pair "+p.ID)
	}
	for _, p := range report.Proposals {
		lines = append(lines, "proposed "+p.ID)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}
