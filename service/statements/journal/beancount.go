package journal

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"tarmac/service/statements/bank"
)

const installBeancount = "beancount (apt-get install beancount, or pip install beancount beanquery)"

var (
	beanCheck = tool{name: "bean-check", install: installBeancount}
	beanQuery = tool{name: "bean-query", install: installBeancount}
)

// fields lists the columns of the query. The query selects accounts by their sort key, which begins
// with 0 for assets and 1 for liabilities in any language.
var fields = []string{"date", "payee", "narration", "account", "amount", "currency", "other_accounts", "lineno"}

const query = "SELECT date, payee, narration, account, str(number) AS amount, currency, other_accounts, lineno " +
	"WHERE account_sortkey(account) ~ '^[01]-'"

// readBeancount checks a journal with bean-check and then gets its postings from bean-query.
func readBeancount(ctx context.Context, in *source, found *statements) error {
	if err := in.save(); err != nil {
		return err
	}
	ignore := func(out io.Reader) error {
		_, err := io.Copy(io.Discard, out)
		return err
	}
	if err := beanCheck.run(ctx, nil, ignore, in.path); err != nil {
		return err
	}
	return beanQuery.run(ctx, nil, func(out io.Reader) error {
		return found.takeRecords(ctx, bank.NewRecords(out, ','))
	}, "-q", "-f", "csv", in.path, query)
}

// takeRecords reads the postings from the CSV output of bean-query.
func (s *statements) takeRecords(ctx context.Context, records *bank.Records) error {
	var at []int
	for count := 0; ; count++ {
		if count%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		record, _, err := records.Next()
		switch {
		case err == io.EOF && (at != nil || count == 0):
			return nil // without any posting, bean-query prints no header either
		case err != nil:
			return fmt.Errorf("%w: %w", errOutput, err)
		}
		if at == nil {
			if at, err = columns(record); err != nil {
				return err
			}
			continue
		}
		if err := s.takeRecord(record, at); err != nil {
			return err
		}
	}
}

// columns returns the index of each column of fields in the header.
func columns(header []string) ([]int, error) {
	var at []int
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	for _, name := range fields {
		i := slices.Index(header, name)
		if i < 0 {
			return nil, fmt.Errorf("%w: no column %s", errOutput, name)
		}
		at = append(at, i)
	}
	return at, nil
}

func (s *statements) takeRecord(record []string, at []int) error {
	var values [8]string
	for i := range values {
		if at[i] >= len(record) {
			return fmt.Errorf("%w: a record is too short", errOutput)
		}
		values[i] = strings.TrimSpace(record[at[i]])
	}
	date, payee, narration, account := values[0], values[1], values[2], values[3]
	number, commodity, others, lineno := values[4], values[5], values[6], values[7]
	// Version 2 of beancount writes numbers as Decimal('1.00').
	number = strings.TrimSuffix(strings.TrimPrefix(number, "Decimal('"), "')")
	line, err := strconv.Atoi(lineno)
	if err != nil {
		return fmt.Errorf("%w: line %q", errOutput, lineno)
	}
	line = max(line, 1) // transactions made by plugins have no line
	day, ok := dayOf(date)
	if !ok {
		return bank.Errorf(line, "the date %q is not possible in a statement", bank.Short(date))
	}
	quantity, ok := decimal(number)
	if !ok {
		return bank.Errorf(line, "the amount %q cannot be read", bank.Short(number))
	}
	if strings.Contains(others, ",") {
		others = ""
	}
	return s.take(entry{account: account, commodity: commodity, quantity: quantity, line: bank.Line{
		Place: line, Booked: day, Counterparty: bank.Text(payee), Description: bank.Text(narration),
		OtherAccount: bank.Text(others), Raw: raw(date, payee, narration, account, number, commodity),
	}})
}
