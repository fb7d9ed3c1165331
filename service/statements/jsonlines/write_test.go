package jsonlines_test

import (
	"bytes"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/jsonlines"
)

func write(t rapid.TB, statements []jsonlines.Statement, lists []jsonlines.List) string {
	var text bytes.Buffer
	if err := jsonlines.Write(&text, statements, lists); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		statements, lists := statementsOf().Draw(t, "statements"), listsOf().Draw(t, "lists")
		if len(statements)+len(lists) == 0 {
			return
		}
		text := write(t, statements, lists)

		found, err := banks.Read(jsonlines.Format(), bytes.NewReader([]byte(text)), bank.Options{})

		if err != nil || len(found.Problems) > 0 {
			t.Fatalf("%v, %q:\n%s", err, found.Problems, text)
		}
		if again := write(t, statementsIn(found), listsIn(found)); again != text {
			t.Fatalf("wrote\n%s\nread\n%s", text, again)
		}
		for i, want := range statements {
			got := found.Statements[i]
			want.Account.Number = got.Account.Number
			if !reflect.DeepEqual(*got.Statement, want.Statement) || len(got.Lines) != len(want.Lines) {
				t.Fatalf("wrote %+v, read %+v", want.Statement, *got.Statement)
			}
		}
	})
}

func TestTheOrderOfLinesMakesNoDifference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		statements := statementsOf().Draw(t, "statements")
		text := write(t, statements, nil)

		slices.Reverse(statements)
		for i := range statements {
			statements[i].Lines = rapid.Permutation(statements[i].Lines).Draw(t, "lines")
		}

		if again := write(t, statements, nil); again != text {
			t.Fatalf("wrote\n%s\nand then\n%s", text, again)
		}
	})
}

// statementsIn returns the statements of a file without the lines' places and raw texts.
func statementsIn(found *banks.Contents) (statements []jsonlines.Statement) {
	for _, s := range found.Statements {
		statements = append(statements, jsonlines.Statement{Statement: *s.Statement, Lines: s.Lines})
	}
	return statements
}

// listsIn returns the lists of a file, which draws as many lists as it has sources.
func listsIn(found *banks.Contents) (lists []jsonlines.List) {
	for _, list := range found.Lists {
		one := jsonlines.List{OpenItems: *list}
		for _, item := range found.OpenItems {
			if item.Party == list.Source {
				one.Items = append(one.Items, item)
			}
		}
		lists = append(lists, one)
	}
	return lists
}

func days() *rapid.Generator[civil.Date] {
	return rapid.Custom(func(t *rapid.T) civil.Date {
		return civil.New(2026, 1, 1).AddDays(rapid.IntRange(0, 400).Draw(t, "day"))
	})
}

// texts returns texts that bank.Text leaves as they are.
func texts() *rapid.Generator[string] {
	return rapid.Map(rapid.String(), bank.Text).Filter(func(text string) bool { return bank.Text(text) == text })
}

// statementsOf returns statements, each of an account of its own, ordered by their numbers.
func statementsOf() *rapid.Generator[[]jsonlines.Statement] {
	return rapid.Custom(func(t *rapid.T) (statements []jsonlines.Statement) {
		for i := range rapid.IntRange(0, 3).Draw(t, "statements") {
			s := jsonlines.Statement{Statement: bank.Statement{
				Account: bank.Account{
					Number: string(rune('a' + i)), Bank: texts().Draw(t, "bank"), Name: texts().Draw(t, "name"),
					Kind: bank.Kind(rapid.IntRange(0, 4).Draw(t, "kind")),
				},
				Currency: rapid.SampledFrom([]string{"USD", "JPY", "KWD"}).Draw(t, "currency"),
			}}
			if rapid.Bool().Draw(t, "period") {
				s.First = days().Draw(t, "first")
				s.Last = s.First.AddDays(rapid.IntRange(0, 40).Draw(t, "days"))
				s.Opening = &bank.Balance{Minor: rapid.Int64().Draw(t, "opening"), Date: s.First.AddDays(-1)}
			}
			if rapid.Bool().Draw(t, "closed") {
				s.Closing = &bank.Balance{Minor: rapid.Int64().Draw(t, "closing"), Date: days().Draw(t, "closed on")}
			}
			s.Lines = rapid.SliceOfN(linesOf(), 0, 4).Draw(t, "lines")
			statements = append(statements, s)
		}
		return statements
	})
}

func linesOf() *rapid.Generator[bank.Line] {
	return rapid.Custom(func(t *rapid.T) bank.Line {
		l := bank.Line{
			Booked: days().Draw(t, "booked"), Minor: rapid.Int64().Draw(t, "amount"), Pending: rapid.Bool().Draw(t, "pending"),
			ID: texts().Draw(t, "id"), Counterparty: texts().Draw(t, "counterparty"), Method: texts().Draw(t, "method"),
			OtherAccount: texts().Draw(t, "other"), Description: texts().Draw(t, "description"),
			Reference: texts().Draw(t, "reference"), Transfer: rapid.Bool().Draw(t, "transfer"),
		}
		if rapid.Bool().Draw(t, "more") {
			running := rapid.Int64().Draw(t, "running")
			l.Running, l.Value = &running, days().Draw(t, "value")
			l.Original = &bank.Original{Currency: "EUR", Minor: rapid.Int64().Draw(t, "original"), Rate: "1.25"}
		}
		return l
	})
}

// listsOf returns lists of invoices and bills whose customers and vendors are named like the source
// of the list.
func listsOf() *rapid.Generator[[]jsonlines.List] {
	return rapid.Custom(func(t *rapid.T) (lists []jsonlines.List) {
		for _, source := range []string{"stripe", "xero"}[:rapid.IntRange(0, 2).Draw(t, "lists")] {
			list := jsonlines.List{OpenItems: bank.OpenItems{
				Side: bank.Side(rapid.IntRange(0, 1).Draw(t, "side")), Source: source, AsOf: days().Draw(t, "as of"),
			}}
			for range rapid.IntRange(0, 3).Draw(t, "invoices") {
				list.Items = append(list.Items, bank.OpenItem{
					Number: texts().Draw(t, "number"), Party: source, Due: days().Draw(t, "due"), Currency: "USD",
					Minor: rapid.Int64Min(1).Draw(t, "amount"),
				})
			}
			lists = append(lists, list)
		}
		return lists
	})
}
