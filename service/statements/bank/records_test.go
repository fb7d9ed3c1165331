package bank_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

func TestRecordsKnowTheirLines(t *testing.T) {
	const content = "a,b\r\n\r\n\"two\nlines\",\"x \"\"y\"\"\"\nlast, one"
	records := bank.NewRecords(bank.NewBudget(t.Context()), strings.NewReader(content), ',')
	var got []string
	var lines []int

	for {
		fields, line, err := records.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		got, lines = append(got, fields...), append(lines, line)
	}

	if !slices.Equal(got, []string{"a", "b", "two\nlines", `x "y"`, "last", "one"}) {
		t.Errorf("fields are %q", got)
	}
	if !slices.Equal(lines, []int{1, 3, 5}) {
		t.Errorf("lines are %d", lines)
	}
}

func TestDamagedRecordsAreRefusedWithTheirLine(t *testing.T) {
	for content, want := range map[string]string{
		"a,b\n\"open\n":   "line 2: a quotation mark is in the wrong place or has no end",
		"a,b\n\"x\"y,1\n": "line 2: a quotation mark is in the wrong place or has no end",
	} {
		err := lastError(bank.NewRecords(bank.NewBudget(t.Context()), strings.NewReader(content), ','))

		if err.Error() != want {
			t.Errorf("%q: %v", content, err)
		}
	}
}

func TestAnEndlessRecordIsRefusedWithItsLine(t *testing.T) {
	for name, start := range map[string]string{"plain": "a,b\n", "in quotes": "a,b\n\""} {
		in := io.MultiReader(strings.NewReader(start), endless{})
		err := lastError(bank.NewRecords(bank.NewBudget(t.Context()), in, ','))

		if err.Error() != "line 2: longer than 1 MB" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func lastError(records *bank.Records) error {
	for {
		if _, _, err := records.Next(); err != nil {
			return err
		}
	}
}
