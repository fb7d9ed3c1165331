package bookkeeping

import (
	"cmp"
	"errors"

	"tarmac/internal/civil"
	"tarmac/service/statements"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/einvoice"
	"tarmac/service/statements/workbook"
)

// inside returns what is imported of a file that holds others: a sheet of an Excel workbook, or the
// electronic invoice attached to a PDF. It returns nil for other files. head is the beginning of
// the file.
func inside(b *bank.Budget, s *Source, head []byte, today civil.Date) (inner []byte, err error) {
	switch {
	case bank.IsWorkbook(head):
		return sheetOf(b, s, today)
	case einvoice.IsPDF(head):
		return invoiceOf(b, s)
	}
	return nil, nil
}

// invoiceOf returns the electronic invoice that is attached to a PDF, or nil if there is none.
func invoiceOf(b *bank.Budget, s *Source) ([]byte, error) {
	content, err := s.upTo(einvoice.MaxSize + 1)
	if err != nil {
		return nil, err
	}
	invoice, err := einvoice.Attached(b, content)
	var unreadable *bank.Error
	switch {
	case errors.Is(err, einvoice.ErrNotAttached):
		return nil, nil
	case errors.As(err, &unreadable):
		return nil, &notImported{unreadable.Error()}
	}
	return invoice, err
}

// sheetOf returns the first sheet of an Excel workbook that has a table of lines, open
// invoices or rates, as CSV. It returns nil for other archives.
func sheetOf(b *bank.Budget, s *Source, today civil.Date) ([]byte, error) {
	content, err := s.upTo(workbook.MaxSize + 1)
	if err != nil {
		return nil, err
	}
	book, err := workbook.Open(b, content)
	if errors.Is(err, workbook.ErrNoWorkbook) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	reason := ""
	for n := range book.Sheets() {
		text, err := book.CSV(n)
		if err != nil {
			return nil, err
		}
		if _, known, err := statements.Detect(b, text[:min(len(text), bank.HeadSize)], today); known || err != nil {
			return text, err
		}
		reason = cmp.Or(reason, statements.Explain(b, text[:min(len(text), bank.HeadSize)]))
	}
	if reason != "" {
		return nil, &notImported{"is an Excel workbook that " + reason}
	}
	return nil, &notImported{"is an Excel workbook without a table of bank lines, open invoices or rates"}
}
