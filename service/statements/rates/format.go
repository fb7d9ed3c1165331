// Package rates reads exchange rates: the reference rates of the European Central Bank for one day
// or since 1999, and tables with a company's own rates against the US dollar.
package rates

import (
	"bytes"
	"io"
	"slices"
	"strings"

	"tarmac/service/statements/bank"
)

// Format returns the reader of exchange rates.
func Format() bank.Format {
	return bank.Format{Name: "rates", Title: "exchange rates", Rank: 3, Recognize: recognize, Read: read}
}

// recognize reports whether a file, or the file in a ZIP archive, begins with the header of a table
// of rates.
func recognize(_ *bank.Budget, head []byte) bool {
	if isArchive(head) {
		return recognizeText(firstFile(head))
	}
	return recognizeText(head)
}

func recognizeText(head []byte) bool {
	_, ok := readHeader(head)
	return ok
}

// header is the first line of a table of rates.
type header struct {
	separator rune
	names     []string // column names in capitals
	// ecb is true for a table of the ECB with a column for each currency, and false for a table
	// with a line for each rate.
	ecb bool
}

// readHeader parses the header at the start of a file. It returns false if it is not the header of
// a table of rates.
func readHeader(head []byte) (header, bool) {
	text, _ := io.ReadAll(bank.Decode(bytes.NewReader(head), head, ""))
	line, _, _ := strings.Cut(strings.TrimLeft(string(text), "\r\n"), "\n")
	h := header{separator: ','}
	for _, other := range ";\t" {
		if !strings.ContainsRune(line, ',') && strings.ContainsRune(line, other) {
			h.separator = other
		}
	}
	for name := range strings.SplitSeq(line, string(h.separator)) {
		h.names = append(h.names, strings.ToUpper(strings.Trim(name, " \t\r\"")))
	}
	h.ecb = h.isECB()
	return h, h.ecb || slices.Equal(slices.Sorted(slices.Values(h.names)), []string{"CURRENCY", "DATE", "USD"})
}

// isECB reports whether the columns are as in files of the ECB: a date and different currencies,
// one of them the US dollar. The last column may be empty, because the ECB's lines end with a
// comma.
func (h header) isECB() bool {
	currencies := h.names[1:]
	if n := len(currencies); n > 0 && currencies[n-1] == "" {
		currencies = currencies[:n-1]
	}
	different := slices.Compact(slices.Sorted(slices.Values(currencies)))
	return h.names[0] == "DATE" && slices.Contains(currencies, "USD") && len(different) == len(currencies) &&
		!slices.ContainsFunc(currencies, func(name string) bool { return !bank.IsCurrency(name) })
}

// read reads a table of rates, which may be in a ZIP archive.
func read(b *bank.Budget, file io.ReadSeeker, options bank.Options, sink bank.Sink) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	head, err := bank.Head(file)
	if err != nil {
		return err
	}
	in := io.Reader(file)
	if isArchive(head) {
		opened, err := openArchive(b, file)
		if err != nil {
			return err
		}
		defer opened.Close()
		if head, err = bank.Head(opened); err != nil {
			return err
		}
		in = opened
	}
	h, ok := readHeader(head)
	if !ok {
		return bank.Errorf(1, "is no header of exchange rates")
	}
	in = bank.Decode(io.MultiReader(bytes.NewReader(head), in), head, "")
	t := &table{header: h, options: options, sink: sink, own: map[ownDay]ownLine{}}
	return t.read(bank.NewRecords(b, in, h.separator))
}
