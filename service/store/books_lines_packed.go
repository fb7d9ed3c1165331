package store

import (
	"strconv"
	"strings"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// SQL expressions that join the columns of a line into one text. Their parameter is
// packedSeparator.
const (
	packedEntry = `concat_ws(CAST(? AS TEXT), l.statement_id, l.id, l.day, l.value_day, l.minor, l.bank_id)`
	packedLine  = `concat_ws(CAST(? AS TEXT), l.id, l.statement_id, l.place, l.day, l.value_day, l.minor,
		l.pending + 2 * l.transfer, l.original_minor, l.bank_id, l.counterparty, l.other_account, l.description,
		l.reference, l.method, l.original_currency, l.original_rate)`
	packedTexts = 8 // number of texts at the end of a packedLine
)

// storable returns a line for packing, and its amount in another currency or the zero value if it
// has none. Its texts do not contain packedSeparator. Readers of bank files remove that character
// with others that control terminals.
func storable(line *bookrules.Line) (l bookrules.Line, original bank.Original) {
	l = *line
	if l.Original != nil {
		original = *l.Original
	}
	for _, text := range [...]*string{
		&l.ID, &l.Counterparty, &l.OtherAccount, &l.Description, &l.Reference, &l.Method, &original.Currency,
		&original.Rate,
	} {
		if strings.IndexByte(*text, packedSeparator) >= 0 {
			*text = strings.ReplaceAll(*text, string(packedSeparator), "")
		}
	}
	return l, original
}

// maxPackedNumbers is the largest number of numbers in a packed text.
const maxPackedNumbers = 8

// unpackNumbers returns the given number of numbers at the start of a packed text, and its rest.
func unpackNumbers(packed string, count int) (numbers [maxPackedNumbers]int64, rest string, err error) {
	for i := range count {
		part, after, more := strings.Cut(packed, string(packedSeparator))
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || !more {
			return numbers, "", errNotPacked
		}
		numbers[i], packed = n, after
	}
	return numbers, packed, nil
}

// unpackLine returns the line that packedLine joined.
func unpackLine(packed string) (bookrules.Line, error) {
	numbers, packed, err := unpackNumbers(packed, maxPackedNumbers)
	if err != nil {
		return bookrules.Line{}, err
	}
	texts := strings.Split(packed, string(packedSeparator))
	if len(texts) != packedTexts {
		return bookrules.Line{}, errNotPacked
	}
	l := bookrules.Line{Key: numbers[0], Statement: numbers[1], Line: bank.Line{
		Place: int(numbers[2]), Booked: bookrules.Day(numbers[3]).Date(), Value: bookrules.Day(numbers[4]).Date(),
		Minor: numbers[5], Pending: numbers[6]&1 != 0, Transfer: numbers[6]&2 != 0,
		ID: texts[0], Counterparty: texts[1], OtherAccount: texts[2], Description: texts[3], Reference: texts[4],
		Method: texts[5],
	}}
	if texts[6] != "" {
		l.Original = &bank.Original{Currency: texts[6], Minor: numbers[7], Rate: texts[7]}
	}
	return l, nil
}
