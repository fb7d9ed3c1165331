package bank_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"tarmac/service/statements/bank"
)

func TestAFileHasABudget(t *testing.T) {
	for name, test := range map[string]struct {
		spend func(all, file *bank.Budget) error
		want  string
	}{
		"steps": {func(_, file *bank.Budget) error { return file.Step(1 << 40) }, "takes more than 268441856 steps to read"},
		"unpacked": {func(_, file *bank.Budget) error {
			var err error
			for range 2 { // the limit is of all parts together
				_, err = io.Copy(io.Discard, file.Unpacked(io.LimitReader(zeros{}, 130<<20)))
			}
			return err
		}, "is larger than 256 MB when unpacked"},
		"a large file": {func(all, _ *bank.Budget) error { return size(all, 1<<30+1) }, "is larger than 1 GB"},
		"files": {func(all, _ *bank.Budget) error {
			return errors.Join(size(all, 1<<30), size(all, 1<<30), size(all, 1<<30), size(all, 1<<30))
		}, "makes the import larger than 4 GB"},
	} {
		all := bank.NewBudget(t.Context())
		file, cancel, err := all.File(100)
		if err != nil {
			t.Fatal(err)
		}
		defer cancel()

		if err := test.spend(all, file); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestReadingAFileEndsWithItsContext(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	file, cancel, err := bank.NewBudget(ctx).File(1)
	if err != nil {
		t.Fatal(err)
	}
	defer cancel()
	lines := bank.NewLines(file, io.MultiReader(strings.NewReader("first\n"), endless{}))
	if _, _, err := lines.Next(); err != nil {
		t.Fatal(err)
	}
	stop()

	for err == nil {
		_, _, err = lines.Next()
	}

	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// size takes a file of some size from the budget of an import.
func size(all *bank.Budget, size int64) error {
	_, cancel, err := all.File(size)
	if err == nil {
		cancel()
	}
	return err
}

// zeros is an io.Reader without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestASinkIsPassedOnlyWhatFitsTheBooks(t *testing.T) {
	long := strings.Repeat("ä", 10_000)
	found := &kept{}
	sink := bank.Bounded(bank.NewBudget(t.Context()), found)

	err := errors.Join(
		sink.Line(nil, bank.Line{Counterparty: long, Description: long}),
		sink.OpenItem(nil, bank.OpenItem{Party: long}),
	)
	for place := range 1000 {
		sink.Problem(place, "x")
	}

	if err != nil || len(found.line.Counterparty) != 1000 || len(found.line.Description) != bank.MaxRaw ||
		len(found.item.Party) != 1000 || found.problems != 100 {
		t.Errorf("%d, %d, %d, %d, %v", len(found.line.Counterparty), len(found.line.Description), len(found.item.Party),
			found.problems, err)
	}
	want := "the name or number of an account has more than 500 bytes"
	if err := sink.Statement(&bank.Statement{Account: bank.Account{Bank: long}}); !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}

// kept is a sink that keeps the last line and item.
type kept struct {
	bank.Sink
	line     bank.Line
	item     bank.OpenItem
	problems int
}

func (k *kept) Line(_ *bank.Statement, l bank.Line) error            { k.line = l; return nil }
func (k *kept) OpenItem(_ *bank.OpenItems, item bank.OpenItem) error { k.item = item; return nil }
func (k *kept) Problem(int, string)                                  { k.problems++ }
