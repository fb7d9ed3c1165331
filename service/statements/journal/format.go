// Package journal reads accounting journals of hledger, ledger and beancount. It runs the installed
// programs of hledger or beancount, because only these interpret directives, prices, assertions and
// inferred amounts correctly. docs/import.md describes what is read.
package journal

import (
	"context"
	"io"

	"tarmac/service/statements/bank"
)

// Hledger returns the reader of journals of hledger and ledger.
func Hledger() bank.Format {
	return bank.Format{
		Name:      "hledger",
		Recognize: func(head []byte) bool { return recognize(head) == hledgerJournal },
		Read: func(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
			return read(ctx, file, options, sink, readHledger)
		},
	}
}

// Beancount returns the reader of journals of beancount.
func Beancount() bank.Format {
	return bank.Format{
		Name:      "beancount",
		Recognize: func(head []byte) bool { return recognize(head) == beancountJournal },
		Read: func(ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
			return read(ctx, file, options, sink, readBeancount)
		},
	}
}

// read makes a journal available to a tool and passes the statements that the tool finds to the
// sink.
func read(
	ctx context.Context, file io.ReadSeeker, options bank.Options, sink bank.Sink,
	readWith func(context.Context, *source, *statements) error,
) error {
	in, err := openSource(file)
	if err != nil {
		return err
	}
	defer in.close()
	found := newStatements(options, sink)
	if err := readWith(ctx, in, found); err != nil {
		return err
	}
	return found.finish()
}
