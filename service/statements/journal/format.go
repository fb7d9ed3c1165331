// Package journal reads accounting journals of hledger, ledger and beancount. Their own tools
// read them, where they are installed: a journal has directives, prices, assertions and
// inferred amounts that only they know for sure. docs/import.md says what is read.
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

// read opens a journal for a tool and gives what the tool reads to sink.
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
