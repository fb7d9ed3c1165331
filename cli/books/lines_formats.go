package books

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"tarmac/cli/command"
	"tarmac/internal/money"
	"tarmac/internal/spreadsheet"
	"tarmac/internal/termtext"
	"tarmac/service/bookkeeping"
)

// lineList writes lines in one of the formats.
type lineList interface {
	add(l bookkeeping.LineRecord) error
	end() error
}

// lineJSON writes an object with the list "lines". Each line of the books is on one line of the
// output.
type lineJSON struct {
	out   io.Writer
	begun bool
}

func (j *lineJSON) add(l bookkeeping.LineRecord) error {
	before := ",\n"
	if !j.begun {
		before = `{"lines":[` + "\n"
	}
	j.begun = true
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(l); err != nil {
		return err
	}
	_, err := io.WriteString(j.out, before+strings.TrimSuffix(text.String(), "\n"))
	return err
}

func (j *lineJSON) end() error {
	text := "\n]}\n"
	if !j.begun {
		text = `{"lines":[]}` + "\n"
	}
	_, err := io.WriteString(j.out, text)
	return err
}

// lineCSV writes the columns of docs/export.md. It writes each amount in minor units and as a
// decimal, both without sign.
type lineCSV struct{ *csv.Writer }

func newLineCSV(out io.Writer) lineCSV {
	w := csv.NewWriter(out)
	w.UseCRLF = true
	_ = w.Write(lineColumns[:]) // the method end returns the error
	return lineCSV{w}
}

var lineColumns = [...]string{
	"id", "account", "date", "amount_minor", "amount", "direction", "currency", "counterparty", "description", "status",
	"transfer", "transaction",
}

func (w lineCSV) add(l bookkeeping.LineRecord) error {
	transaction := ""
	if l.Transaction != nil {
		transaction = *l.Transaction
	}
	return w.Write([]string{
		l.ID, spreadsheet.Cell(l.Account), l.Date, strconv.FormatInt(l.AmountMinor, 10),
		strings.ReplaceAll(money.Format(l.AmountMinor, l.Currency), ",", ""), l.Direction, l.Currency,
		spreadsheet.Cell(l.Counterparty), spreadsheet.Cell(l.Description), l.Status, strconv.FormatBool(l.Transfer),
		transaction,
	})
}

func (w lineCSV) end() error {
	w.Flush()
	return w.Error()
}

// lineTable writes a table. Columns are aligned only within each batch of lineBatch lines, so that
// only one batch is in memory.
type lineTable struct {
	*tabwriter.Writer
	description int // width in cells; 0 for a terminal without room, -1 for no limit
	lines       int
}

// lineBatch is the number of lines of a table that are aligned with each other. Widths are in
// cells: lineRest is the width of all columns but the description, and minDescription is the
// smallest width at which the description is shown.
const (
	lineBatch       = 500
	lineRest        = 82
	minDescription  = 16
	maxCounterparty = 28
)

// newLineTable returns a table that fits the terminal, if stdout is one.
func newLineTable(out io.Writer, stdout any) *lineTable {
	t := &lineTable{Writer: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0), description: -1}
	if columns, _ := command.TerminalSize(stdout); columns > 0 {
		if t.description = columns - lineRest; t.description < minDescription {
			t.description = 0
		}
	}
	return t
}

func (t *lineTable) add(l bookkeeping.LineRecord) error {
	if t.lines == 0 {
		heading := "DATE\tACCOUNT\t          AMOUNT\t\tCOUNTERPARTY\tKIND"
		if t.description != 0 {
			heading += "\tDESCRIPTION"
		}
		fmt.Fprintln(t, heading)
	}
	t.lines++
	amount := money.Format(l.AmountMinor, l.Currency)
	if l.Direction == "outflow" {
		amount = "-" + amount
	}
	kind := "transaction"
	switch {
	case l.Status == "pending":
		kind = l.Status
	case l.Transfer:
		kind = "transfer"
	}
	counterparty, description := l.Counterparty, l.Description
	if t.description >= 0 {
		counterparty, description = termtext.Fit(counterparty, maxCounterparty), termtext.Fit(description, t.description)
	}
	fmt.Fprintf(t, "%s\t%s\t%16s\t%s\t%s\t%s", l.Date, termtext.Line(l.Account), amount, l.Currency, counterparty, kind)
	if t.description != 0 {
		fmt.Fprint(t, "\t"+description)
	}
	fmt.Fprintln(t)
	if t.lines%lineBatch == 0 {
		return t.Flush()
	}
	return nil
}

func (t *lineTable) end() error { return t.Flush() }
