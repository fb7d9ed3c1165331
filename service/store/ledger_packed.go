package store

import (
	"errors"
	"strconv"
	"strings"

	"tarmac/service/ids"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// packedColumns is an SQL expression that joins a transaction's columns into one text. SQLite's
// driver locks several times for each column that it returns. For a hundred rows that would take
// longer than finding them.
const packedColumns = `concat_ws(char(31), t.id,
	t.direction + 2 * t.amount_known + 4 * t.usd_known + 8 * t.has_receipt + 16 * t.source,
	t.amount_minor, t.usd_cents, t.public_id, t.currency, t.counterparty, t.category, t.logo_url, t.memo, t.method,
	t.reference)`

// packedReporting are packedColumns with the amount in the reporting currency, which is empty if it
// is not known. It comes before the texts, of which the last may be empty.
const packedReporting = `coalesce(t.reporting_minor, '') || char(31) || ` + packedColumns

const (
	packedSeparator = '\x1f'
	packedParts     = 12
)

// errNotPacked is returned for a row with a text that contains packedSeparator, which separates the
// columns.
var errNotPacked = errors.New("a row does not fit into one text")

// scanPacked returns a function that scans a row that was packed by rowColumns.
func scanPacked(f ledger.Filter) scanFunc {
	unpack := unpack
	if f.Currency != "" {
		unpack = unpackReporting
	}
	return func(row database.Row, t *ledger.Transaction, key *int64) error {
		var text string
		if err := row.Scan(&text); err != nil {
			return err
		}
		return unpack(text, t, key)
	}
}

// unpackReporting reads a text of packedReporting.
func unpackReporting(text string, t *ledger.Transaction, key *int64) error {
	minor, rest, _ := strings.Cut(text, string(packedSeparator))
	if err := unpack(rest, t, key); err != nil || minor == "" {
		return err
	}
	var err error
	t.ReportingMinor, err = strconv.ParseInt(minor, 10, 64)
	t.ReportingKnown = err == nil
	return err
}

func unpack(text string, t *ledger.Transaction, key *int64) error {
	var parts [packedParts]string
	for i := range parts {
		end := strings.IndexByte(text, packedSeparator)
		if (end < 0) != (i == packedParts-1) {
			return errNotPacked
		}
		if end < 0 {
			end = len(text)
		}
		parts[i] = text[:end]
		text = text[min(end+1, len(text)):]
	}
	var numbers [4]int64
	for i := range numbers {
		var err error
		if numbers[i], err = strconv.ParseInt(parts[i], 10, 64); err != nil {
			return err
		}
	}
	*key = numbers[0]
	day, _ := splitKey(*key)
	flags := numbers[1]
	*t = ledger.Transaction{
		ID: ids.Transaction + bareID(parts[4]), Date: dateOf(day),
		Direction: ledger.Direction(flags & 1), Source: ledger.Source(flags >> 4),
		AmountMinor: numbers[2], AmountKnown: flags&2 != 0, USDCents: numbers[3], USDKnown: flags&4 != 0,
		HasReceipt: flags&8 != 0, Currency: parts[5], Counterparty: parts[6], Category: parts[7], LogoURL: parts[8],
		Memo: parts[9], Method: parts[10], Reference: parts[11],
	}
	return nil
}
