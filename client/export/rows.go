package export

import (
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"

	"tarmac/apiclient"
)

// header names the columns of a transaction, as `tarmac transactions --csv` has them. Amounts are
// magnitudes; direction carries the sign.
var header = slices.Concat(
	[]string{"id", "date", "direction"}, AmountColumns("amount_cents"),
	[]string{"amount_known", "currency"}, AmountColumns("amount_usd_cents"),
	[]string{"usd_known", "counterparty_name", "memo", "method", "reference"},
	[]string{"has_receipt", "source", "source_label", "logo_url"},
)

type csvRows struct{ w *csv.Writer }

func newCSV(w io.Writer) csvRows { return csvRows{NewCSV(w)} }

func (c csvRows) begin() error { return c.w.Write(header) }

func (c csvRows) row(t *apiclient.Transaction) error {
	return c.w.Write(slices.Concat(
		[]string{Cell(t.ID), t.Date.String(), Cell(string(t.Direction))},
		AmountCells(t.Amount), []string{strconv.FormatBool(t.Amount.Known()), Cell(t.Amount.Currency())},
		AmountCells(t.USD), []string{strconv.FormatBool(t.USD.Known())},
		[]string{
			Cell(t.CounterpartyName), Cell(t.Memo), Cell(t.Method), Cell(t.Reference), strconv.FormatBool(t.HasReceipt),
			Cell(string(t.Source)), Cell(t.SourceLabel), Cell(t.LogoURL),
		},
	))
}

func (c csvRows) end() error {
	c.w.Flush()
	return c.w.Error()
}

func integer(n int64) string { return strconv.FormatInt(n, 10) }

// jsonRows writes an array with a row on each line.
type jsonRows struct {
	w     io.Writer
	begun *bool
}

func newJSON(w io.Writer) jsonRows { return jsonRows{w, new(bool)} }

// record is a row with the API's names (docs/api.md, Transaction). Amounts are minor
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
		Currency: t.Amount.Currency(), Direction: string(t.Direction), Date: t.Date.String(),
		Counterparty: t.CounterpartyName,
		HasReceipt:   t.HasReceipt, Source: string(t.Source), SourceLabel: t.SourceLabel,
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
