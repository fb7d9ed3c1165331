package export

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/internal/money"
)

// header names the columns. Amounts are magnitudes in whole units, without
// separators; direction carries the sign (specification 2.3).
var header = []string{
	"id", "date", "direction", "amount", "currency", "amount_usd", "counterparty_name", "memo", "method", "reference",
	"source", "source_label", "has_receipt", "logo_url",
}

type csvRows struct{ w *csv.Writer }

func newCSV(w io.Writer) csvRows { return csvRows{csv.NewWriter(w)} }

func (c csvRows) begin() error { return c.w.Write(header) }

func (c csvRows) row(t *apiclient.Transaction) error {
	return c.w.Write([]string{
		Cell(t.ID), t.Date.String(), Cell(string(t.Direction)), figure(t.Amount), Cell(t.Amount.Currency()), figure(t.USD),
		Cell(t.CounterpartyName), Cell(t.Memo), Cell(t.Method), Cell(t.Reference),
		Cell(string(t.Source)), Cell(t.SourceLabel), strconv.FormatBool(t.HasReceipt), Cell(t.LogoURL),
	})
}

func (c csvRows) end() error {
	c.w.Flush()
	return c.w.Error()
}

// figure writes an amount for a spreadsheet: "1234.56", or the dash for one that
// nobody knows.
func figure(a apiclient.Amount) string {
	minor, known := a.Minor()
	if !known {
		return money.Dash
	}
	return strings.ReplaceAll(money.Format(minor, a.Currency()), ",", "")
}

// Cell returns text from elsewhere as a spreadsheet takes it for text: what would
// begin a formula, after blanks or not, gets an apostrophe before it.
func Cell(text string) string {
	if first := strings.TrimLeft(text, " \t\r\n\u00a0"); first != "" && strings.ContainsRune("=+-@＝＋－＠", []rune(first)[0]) ||
		strings.HasPrefix(text, "\t") || strings.HasPrefix(text, "\r") {
		return "'" + text
	}
	return text
}

// jsonRows writes an array with a row on each line.
type jsonRows struct {
	w     io.Writer
	begun *bool
}

func newJSON(w io.Writer) jsonRows { return jsonRows{w, new(bool)} }

// record is a row with the names of the specification's 2.3. Amounts are minor
// units, null where they are not known.
type record struct {
	ID           string  `json:"id"`
	Amount       *int64  `json:"amount_cents"`
	AmountKnown  bool    `json:"amount_known"`
	USD          *int64  `json:"amount_usd_cents"`
	USDKnown     bool    `json:"usd_known"`
	Currency     string  `json:"currency"`
	Direction    string  `json:"direction"`
	Date         string  `json:"date"`
	Counterparty string  `json:"counterparty_name"`
	HasReceipt   bool    `json:"has_receipt"`
	Source       string  `json:"source"`
	SourceLabel  string  `json:"source_label"`
	LogoURL      *string `json:"logo_url"`
	Memo         *string `json:"memo"`
	Method       *string `json:"method"`
	Reference    *string `json:"reference"`
}

func (j jsonRows) begin() error {
	_, err := io.WriteString(j.w, "[")
	return err
}

func (j jsonRows) row(t *apiclient.Transaction) error {
	line, err := json.Marshal(record{
		ID: t.ID, Amount: minor(t.Amount), AmountKnown: t.Amount.Known(), USD: minor(t.USD), USDKnown: t.USD.Known(),
		Currency: t.Amount.Currency(), Direction: string(t.Direction), Date: t.Date.String(), Counterparty: t.CounterpartyName,
		HasReceipt: t.HasReceipt, Source: string(t.Source), SourceLabel: t.SourceLabel,
		LogoURL: maybe(t.LogoURL), Memo: maybe(t.Memo), Method: maybe(t.Method), Reference: maybe(t.Reference),
	})
	if err != nil {
		return err
	}
	before := ",\n"
	if !*j.begun {
		*j.begun, before = true, "\n"
	}
	_, err = io.WriteString(j.w, before+string(line))
	return err
}

func (j jsonRows) end() error {
	_, err := io.WriteString(j.w, "\n]\n")
	return err
}

func minor(a apiclient.Amount) *int64 {
	if n, known := a.Minor(); known {
		return &n
	}
	return nil
}

func maybe(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
