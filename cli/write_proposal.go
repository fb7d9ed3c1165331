package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/text/currency"

	"tarmac/apiclient"
	"tarmac/cli/command"
	"tarmac/client/proposal"
	"tarmac/internal/civil"
	"tarmac/internal/money"
	"tarmac/internal/privatefile"
	"tarmac/internal/termtext"
)

// maxProposalFile is the maximum size of a proposal file, in bytes. All valid proposals are
// smaller.
const maxProposalFile = 1 << 20

type proposalFlags struct {
	name, email, description, notes, due string
	lines                                []string
}

var proposalFlagNames = []string{"recipient-name", "recipient-email", "description", "notes", "due", "line"}

func (f *proposalFlags) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.name, "recipient-name", "", "customer name")
	cmd.Flags().StringVar(&f.email, "recipient-email", "", "billing e-mail address")
	cmd.Flags().StringVar(&f.description, "description", "", "what the invoice is for")
	cmd.Flags().StringVar(&f.notes, "notes", "", "internal notes, not printed on the invoice")
	cmd.Flags().StringVar(&f.due, "due", "", "due date such as 2026-06-30, \"31 Dec\", \"net 30\", 2w or "+
		"\"end of month\"")
	command.Choices(cmd, "due", "net 15", "net 30", "net 60", "in 2 weeks", "tomorrow", "end of month",
		"end of next month")
	cmd.Flags().StringArrayVar(&f.lines, "line", nil,
		"line item \"QUANTITY x PRICE DESCRIPTION\", with the price in US dollars; repeat for several")
}

func (f *proposalFlags) proposal(today civil.Date) (apiclient.InvoiceProposal, error) {
	p := apiclient.InvoiceProposal{
		Description: f.description, RecipientName: f.name, RecipientEmail: f.email, Notes: f.notes,
	}
	var err error
	if p.DueDate, err = civil.ParseDue(f.due, today); err != nil {
		return p, command.Usagef("--due %w, not %s", err, command.Quoted(f.due))
	}
	if len(f.lines) == 0 {
		return p, command.Usagef("the proposal has no lines; add --line \"QUANTITY x PRICE DESCRIPTION\", or use --file")
	}
	for _, words := range f.lines {
		line, err := parseLine(words)
		if err != nil {
			return p, err
		}
		p.LineItems = append(p.LineItems, line)
	}
	return p, nil
}

// parseLine parses a line item such as "12.5 hours x $1.2k Consulting": a quantity, a unit
// price in dollars and a description.
func parseLine(words string) (apiclient.LineItem, error) {
	quantity, rest, ok := strings.Cut(words, " x ")
	price, description, described := strings.Cut(strings.TrimSpace(rest), " ")
	if !ok || !described {
		return apiclient.LineItem{}, command.Usagef("--line must be like \"12.5 x 180.00 Hours\", not %s",
			command.Quoted(words))
	}
	q, err := proposal.ParseQuantity(quantity)
	if err != nil {
		return apiclient.LineItem{}, command.Usagef("--line %s: the quantity %w", command.Quoted(words), err)
	}
	unit, err := money.Parse(price, apiclient.InvoiceCurrency)
	if err != nil {
		return apiclient.LineItem{}, command.Usagef("--line %s: the price %w", command.Quoted(words), err)
	}
	// A description may begin with a letter that is also a suffix of prices, as in "5 m cable".
	word, _, _ := strings.Cut(strings.TrimSpace(description), " ")
	if strings.EqualFold(word, apiclient.InvoiceCurrency) {
		return apiclient.LineItem{}, command.Usagef("--line %s: leave out %s, since prices are in US dollars",
			command.Quoted(words), word)
	}
	if _, err := currency.ParseISO(word); err == nil && word == strings.ToUpper(word) {
		return apiclient.LineItem{}, command.Usagef("--line %s: the price is in %s, but invoices are in %s",
			command.Quoted(words), word, apiclient.InvoiceCurrency)
	}
	if _, err := money.Parse(price+" "+word, apiclient.InvoiceCurrency); err == nil && len(word) > 1 {
		return apiclient.LineItem{}, command.Usagef("--line %s: write the price in one word, such as 1.5M",
			command.Quoted(words))
	}
	return apiclient.LineItem{Description: strings.TrimSpace(description), Quantity: q, UnitPriceCents: unit}, nil
}

// proposalFile is a proposal in the API's format (docs/api.md, Invoice proposal). A field unknown
// to the program is an error, because its content would be lost.
type proposalFile struct {
	Currency       string     `json:"currency"`
	Description    string     `json:"description"`
	RecipientName  string     `json:"recipient_name"`
	RecipientEmail string     `json:"recipient_email"`
	Notes          string     `json:"notes"`
	DueDate        string     `json:"due_date"`
	LineItems      []lineFile `json:"line_items"`
}

type lineFile struct {
	Description string `json:"description"`
	Quantity    string `json:"quantity"`
	UnitPrice   int64  `json:"unit_price_cents"`
}

// parseProposal parses a proposal in JSON. Callers report its errors as wrong input.
func parseProposal(content []byte) (apiclient.InvoiceProposal, error) {
	var from proposalFile
	dec := json.NewDecoder(bytes.NewReader(content))
	dec.DisallowUnknownFields()
	err := dec.Decode(&from)
	if err == nil {
		if _, err = dec.Token(); errors.Is(err, io.EOF) {
			err = nil
		} else {
			err = errors.New("there is data after it")
		}
	}
	if err != nil {
		return apiclient.InvoiceProposal{}, command.Usagef("the proposal is not the API's JSON: %s",
			strings.TrimPrefix(err.Error(), "json: "))
	}
	p := apiclient.InvoiceProposal{
		Currency: from.Currency, Description: from.Description, RecipientName: from.RecipientName,
		RecipientEmail: from.RecipientEmail, Notes: from.Notes,
	}
	if from.DueDate != "" {
		if p.DueDate, err = civil.Parse(from.DueDate); err != nil {
			return p, command.Usagef("the proposal was not sent: due_date must be a calendar date in the form YYYY-MM-DD")
		}
	}
	for i, line := range from.LineItems {
		// Leave an invalid quantity empty, so that Check reports it together with all other
		// mistakes.
		quantity, err := apiclient.ParseQuantity(line.Quantity)
		if err != nil && line.Quantity != "" {
			return p, command.Usagef("the proposal was not sent: line_items[%d].quantity %w", i, err)
		}
		p.LineItems = append(p.LineItems, apiclient.LineItem{Description: line.Description, Quantity: quantity,
			UnitPriceCents: line.UnitPrice})
	}
	return p, nil
}

// readInput reads the file at path, or standard input if path is "-". It returns at most the given
// number of bytes.
func readInput(env command.Env, path string, most int64) ([]byte, error) {
	var from io.Reader
	if path == "-" {
		if env.Stdin == nil {
			return nil, command.Usagef("there is no standard input")
		}
		from = env.Stdin
	} else {
		file, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("cannot read %s: %w", termtext.Line(path), privatefile.Reason(err))
		}
		defer file.Close()
		from = file
	}
	content, err := io.ReadAll(io.LimitReader(from, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("cannot read %s: %w", termtext.Line(path), privatefile.Reason(err))
	case int64(len(content)) > most:
		return nil, fmt.Errorf("%s is larger than %d KiB", termtext.Line(path), most>>10)
	}
	return content, nil
}
