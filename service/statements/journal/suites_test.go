package journal_test

import (
	"context"
	"io"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/internal/testsupport/journaltools"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/journal"
)

// either reads journals of both languages.
func either() bank.Format {
	choose := func(file io.ReadSeeker) (bank.Format, error) {
		head := make([]byte, bank.HeadSize)
		n, _ := io.ReadFull(file, head)
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return bank.Format{}, err
		}
		if journal.Beancount().Recognize(head[:n]) {
			return journal.Beancount(), nil
		}
		return journal.Hledger(), nil
	}
	return bank.Format{
		Recognize: func(head []byte) bool {
			return journal.Beancount().Recognize(head) != journal.Hledger().Recognize(head)
		},
		Read: func(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
			format, err := choose(file)
			if err != nil {
				return err
			}
			return format.Read(ctx, file, options, sink)
		},
	}
}

func TestJournalsOfOthersAreReadAsTheirToolsReadThem(t *testing.T) {
	journaltools.Need(t, "hledger", "bean-check", "bean-query")
	if testing.Short() {
		t.Skip("starts many tools")
	}
	banks.Suites(t, either(), "journals", nil, nil)
}
