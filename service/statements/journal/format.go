// Package journal reads plain accounting journals of hledger, ledger and beancount. It starts no
// program and opens no other file: what is beyond dated transactions, their amounts, balances and
// prices is refused with its line. docs/import.md describes what is read.
package journal

import (
	"cmp"
	"io"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// Hledger returns the reader of journals of hledger and ledger. Dates without a year are in that of
// Options.AsOf, else in that of today, as these programs read them; with a zero today they are
// refused.
func Hledger(today civil.Date) bank.Format {
	return bank.Format{
		Name: "hledger", Title: "journals of hledger", Rank: 3,
		Recognize: func(_ *bank.Budget, head []byte) bool { return recognize(head) == hledgerJournal },
		Read: func(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
			return read(file, options, sink, func(in io.Reader, f *facts, take taker, remark remarker) error {
				h := &hledgerReader{facts: f, take: take, remark: remark, styles: newStyles(options.Decimal)}
				h.styles.places = f.places
				if day := cmp.Or(options.AsOf, today); !day.IsZero() {
					h.assumed = day.Year()
				}
				return h.read(b, in)
			})
		},
	}
}

// Beancount returns the reader of journals of beancount.
func Beancount() bank.Format {
	return bank.Format{
		Name: "beancount", Title: "journals of beancount", Rank: 3,
		Recognize: func(_ *bank.Budget, head []byte) bool { return recognize(head) == beancountJournal },
		Read: func(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
			names := newRoots()
			return read(file, options, sink, func(in io.Reader, f *facts, take taker, _ remarker) error {
				f.owned = names.owned
				r := &beancountReader{facts: f, take: take, roots: names}
				return r.read(b, in)
			})
		},
	}
}

// taker takes the entries of a journal in the order of the file.
type taker func(entry) error

// remarker takes what was left out.
type remarker func(remark bank.Remark, text string)

// read reads a journal twice: for what it says of accounts and the order of its days, and for its
// transactions.
func read(
	file io.ReadSeeker, options bank.Options, sink bank.Sink, once func(io.Reader, *facts, taker, remarker) error,
) error {
	f := newFacts()
	in, err := text(file)
	if err != nil {
		return err
	}
	if err := once(in, f, f.note, func(bank.Remark, string) {}); err != nil {
		return err
	}
	f.complete = true
	if in, err = text(file); err != nil {
		return err
	}
	found := newStatements(options, sink)
	b := newBook(f, found)
	if err := once(in, f, b.take, remarks(sink)); err != nil {
		return err
	}
	if err := b.finish(); err != nil {
		return err
	}
	return found.finish()
}

// text returns the text of a file from its start.
func text(file io.ReadSeeker) (io.Reader, error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	head, err := bank.Head(file)
	if err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	return bank.Decode(file, head, ""), nil
}
