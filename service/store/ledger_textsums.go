package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"tarmac/internal/money"
	"tarmac/service/ledger"
	"tarmac/service/store/database"
)

// The transactions of a busy day have few different texts, apart from numbers such as those of
// invoices. The table ledger_text_sums holds sums of a day's transactions by their pattern: the
// search text with a single 0 for each run of digits. A keyword without digits is part of a text
// exactly if it is part of its pattern, so its summary needs the patterns only.
//
// The transactions of a day are numbered without gaps, and the sums are of the first ones. So sums
// stay right when transactions are added; the rest of the day is then searched. ReplaceDays deletes
// the sums of its days.
//
// The sums are in the organization's reporting currency. For totals in US dollars beside it, all
// transactions are searched.

const digits = "0123456789"

// appendPattern appends the pattern of a search text to b.
func appendPattern(b []byte, text string) []byte {
	for {
		i := strings.IndexAny(text, digits)
		if i < 0 {
			return append(b, text...)
		}
		b = append(append(b, text[:i]...), '0')
		text = strings.TrimLeft(text[i:], digits)
	}
}

// usesTextSums reports whether sums by pattern can be used for the filter.
func usesTextSums(f ledger.Filter) bool { return !strings.ContainsAny(f.Keyword, digits) }

// textSums holds the sums of transactions by pattern, and by direction.
type textSums map[string]*[2]dailySum

// add reports false if a sum overflows.
func (sums textSums) add(pattern []byte, direction ledger.Direction, cents int64, known bool) bool {
	both := sums[string(pattern)]
	if both == nil {
		both = &[2]dailySum{}
		sums[string(pattern)] = both
	}
	return both[direction].add(cents, known)
}

// encode returns the sums in the form of ledger_text_sums.entries. An entry has the pattern and its
// length, and for both directions the number of transactions, followed by the two other sums if
// that is not 0. All numbers are varints.
func (sums textSums) encode() (b []byte) {
	for _, pattern := range slices.Sorted(maps.Keys(sums)) {
		b = binary.AppendUvarint(b, uint64(len(pattern)))
		b = append(b, pattern...)
		for _, sum := range sums[pattern] {
			b = binary.AppendUvarint(b, uint64(sum.n))
			if sum.n > 0 {
				b = binary.AppendUvarint(b, uint64(sum.cents))
				b = binary.AppendUvarint(b, uint64(sum.unconverted))
			}
		}
	}
	return b
}

var errTextSums = errors.New("sums of the ledger's texts are damaged")

// eachTextSum calls visit for each of the encoded entries. visit must not keep its arguments.
func eachTextSum(entries []byte, visit func(pattern []byte, sums *[2]dailySum) error) error {
	number := func() (n int64, ok bool) {
		value, size := binary.Uvarint(entries)
		entries = entries[max(size, 0):]
		return int64(value), size > 0 && int64(value) >= 0
	}
	var sums [2]dailySum // allocated once, not for each entry
	for len(entries) > 0 {
		length, ok := number()
		if !ok || length > int64(len(entries)) {
			return errTextSums
		}
		pattern := entries[:length]
		entries = entries[length:]
		for i := range sums {
			sums[i] = dailySum{}
			counted, known, converted := false, true, true
			if sums[i].n, counted = number(); sums[i].n > 0 {
				sums[i].cents, known = number()
				sums[i].unconverted, converted = number()
			}
			if !counted || !known || !converted {
				return errTextSums
			}
		}
		if err := visit(pattern, &sums); err != nil {
			return err
		}
	}
	return nil
}

func decodeTextSums(entries []byte) (textSums, error) {
	sums := textSums{}
	err := eachTextSum(entries, func(pattern []byte, both *[2]dailySum) error {
		sums[string(pattern)] = &[2]dailySum{both[0], both[1]}
		return nil
	})
	return sums, err
}

// summarizeTexts returns the summary of the transactions with these entries that match the filter's
// keyword and direction.
func summarizeTexts(entries []byte, f ledger.Filter) (summary ledger.Summary, err error) {
	keyword := []byte(f.Keyword)
	err = eachTextSum(entries, func(pattern []byte, sums *[2]dailySum) error {
		if !bytes.Contains(pattern, keyword) {
			return nil
		}
		for direction, sum := range sums {
			if f.Direction != nil && *f.Direction != ledger.Direction(direction) {
				continue
			}
			total := &summary.Outflow
			if ledger.Direction(direction) == ledger.Inflow {
				total = &summary.Inflow
			}
			fits := false
			if *total, fits = money.Add(*total, sum.cents); !fits {
				return ledger.ErrOverflow
			}
			summary.Count += sum.n
			summary.Unconverted += sum.unconverted
		}
		return nil
	})
	return summary, err
}

// ledgerPart is a range of an organization's ledger. Its summary is known from sums by pattern, or
// its rows must be searched.
type ledgerPart struct {
	keyRange
	rows    int64
	known   bool
	summary partialSummary
}

// summarizeParts is summarizeKeyword with sums by pattern, where there are any.
func (s *Snapshot) summarizeParts(
	org OrgKey, f ledger.Filter, days []dayCount, lowKey, highKey int64,
) (summary partialSummary, nextKey int64, err error) {
	known, err := s.readTextSums(org, f, lowKey, highKey)
	if err != nil {
		return partialSummary{}, 0, err
	}
	if len(known) == 0 {
		return s.summarizeKeyword(org, f, days, lowKey, highKey)
	}
	if days == nil {
		if days, err = s.readDayCounts(org); err != nil {
			return partialSummary{}, 0, err
		}
	}
	parts := ledgerParts(ledgerOfKey(lowKey), days, known, keyRange{lowKey, highKey})
	if s.db.Dialect == database.Postgres && countLarge(parts) > maxIndexedGaps {
		return s.summarizeKeyword(org, f, days, lowKey, highKey)
	}
	searched := int64(0)
	for _, part := range parts {
		more := part.summary
		if !part.known {
			if searched >= s.history.batchHits {
				return summary, part.first, nil
			}
			searched += part.rows
			if more, nextKey, err = s.summarizeGap(org, f, days, part); err != nil {
				return partialSummary{}, 0, err
			}
		}
		if summary, err = summary.plus(more); err != nil || nextKey != 0 {
			return summary, nextKey, err
		}
	}
	return summary, 0, nil
}

// summarizeGap returns the summary of one batch of the rows of a part that is not known.
func (s *Snapshot) summarizeGap(
	org OrgKey, f ledger.Filter, days []dayCount, gap ledgerPart,
) (summary partialSummary, nextKey int64, err error) {
	if s.db.Dialect == database.Postgres {
		summary, err = s.summarizePostgres(f, !gap.isLarge(), gap.keyRange)
		return summary, 0, err
	}
	return s.summarizeKeyword(org, f, days, gap.first, gap.last)
}

// maxIndexedGaps is the number of large gaps above which a single search of everything is quicker
// on PostgreSQL: its index finds the matches in all gaps each time.
const maxIndexedGaps = 3

func (p ledgerPart) isLarge() bool { return !p.known && p.rows >= maxAddedRows }

func countLarge(parts []ledgerPart) (n int) {
	for _, part := range parts {
		if part.isLarge() {
			n++
		}
	}
	return n
}

// readTextSums returns the parts of the ledger between two keys whose summary is known from sums by
// pattern, in ascending order.
func (s *Snapshot) readTextSums(org OrgKey, f ledger.Filter, lowKey, highKey int64) ([]ledgerPart, error) {
	if !usesTextSums(f) {
		return nil, nil
	}
	// Sums of a day are left out if lowKey is one of their transactions.
	rows, err := s.db.SlowQuery(`SELECT id, n, entries FROM ledger_text_sums
		WHERE id BETWEEN ? AND ? AND entries IS NOT NULL AND EXISTS
			(SELECT 1 FROM organizations o WHERE o.id = ? AND o.text_sums_rewritten = `+textSumsMark(f.Currency != "")+`)
		ORDER BY id`, lowKey-1, highKey, org)
	return database.Collect(rows, err, "the sums of texts", func(row database.Row) (part ledgerPart, err error) {
		var key int64
		var entries []byte
		if err := row.Scan(&key, &part.rows, &entries); err != nil {
			return part, err
		}
		part.known, part.keyRange = true, keyRange{key + 1, key + part.rows}
		part.summary.Summary, err = summarizeTexts(entries, f)
		part.summary.oldest, part.summary.newest = part.first, part.last
		return part, err
	})
}

// ledgerParts divides a range of keys into the known parts and what is between them, in ascending
// order. Ranges without transactions are left out.
func ledgerParts(l ledgerKey, days []dayCount, known []ledgerPart, within keyRange) (parts []ledgerPart) {
	gap := ledgerPart{}
	closeGap := func() {
		if gap.rows > 0 {
			parts = append(parts, gap)
		}
		gap = ledgerPart{}
	}
	for _, day := range days {
		first := max(rowKey(l, day.day, 1), within.first)
		last := min(rowKey(l, day.day, day.rows), within.last)
		for len(known) > 0 && known[0].first < first {
			known = known[1:]
		}
		if len(known) > 0 && known[0].first == first && known[0].last <= last {
			closeGap()
			parts = append(parts, known[0])
			first = known[0].last + 1
		}
		if first > last {
			continue
		}
		if gap.rows == 0 {
			gap.first = first
		}
		gap.last, gap.rows = last, gap.rows+last-first+1
	}
	closeGap()
	return parts
}

// removeTextSums deletes the sums of a day whose transactions are removed.
func (tx *Tx) removeTextSums(l ledgerKey, day int64) error {
	if _, err := tx.db.Exec("DELETE FROM ledger_text_sums WHERE id = ?", rowKey(l, day, 0)); err != nil {
		return fmt.Errorf("deleting the sums of texts: %w", err)
	}
	return nil
}
