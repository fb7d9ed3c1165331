package bookkeeping

import (
	"bytes"
	"context"
	"io"

	"tarmac/internal/civil"
	"tarmac/service/statements"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/workbook"
)

// unpackWorkbook returns the first sheet of an Excel workbook that has a table of lines, open
// invoices or rates, as CSV. It returns workbook.ErrNoWorkbook for other archives.
func unpackWorkbook(ctx context.Context, s *Source, today civil.Date) (io.ReadSeeker, error) {
	if _, err := s.Content.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	content, err := io.ReadAll(io.LimitReader(s.Content, workbook.MaxSize+1))
	if err != nil {
		return nil, err
	}
	book, err := workbook.Open(content)
	if err != nil {
		return nil, err
	}
	for n := range book.Sheets() {
		text, err := book.CSV(ctx, n)
		if err != nil {
			return nil, err
		}
		if _, known := statements.Detect(text[:min(len(text), bank.HeadSize)], today); known {
			return bytes.NewReader(text), nil
		}
	}
	return nil, &notImported{"is an Excel workbook without a table of bank lines, open invoices or rates"}
}
