package journal_test

import (
	"io"
	"testing"

	"tarmac/internal/civil"
	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

// answered is a day of the year that the answers give to dates without one.
var answered = civil.New(2026, 6, 1)

// either reads journals of both languages.
func either() bank.Format {
	choose := func(b *bank.Budget, file io.ReadSeeker) (bank.Format, error) {
		head, _ := bank.Head(file)
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return bank.Format{}, err
		}
		if journal.Beancount().Recognize(b, head) {
			return journal.Beancount(), nil
		}
		return journal.Hledger(answered), nil
	}
	return bank.Format{
		Recognize: func(b *bank.Budget, head []byte) bool {
			return journal.Beancount().Recognize(b, head) != journal.Hledger(civil.Date{}).Recognize(b, head)
		},
		Read: func(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
			format, err := choose(b, file)
			if err != nil {
				return err
			}
			return format.Read(b, file, options, sink)
		},
	}
}

func TestJournalsOfOthersAreReadAsTheirProgramsReadThem(t *testing.T) {
	banks.Suites(t, either(), "journals", nil, nil)
}
