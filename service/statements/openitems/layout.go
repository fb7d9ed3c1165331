package openitems

import (
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// role says what a column contains.
type role int

const (
	number role = iota
	party       // customer or vendor
	issued
	due
	amountDue
	paid
	currency
	kind
	status
	roles
)

// names lists the column names for each role, in the form that normalize returns, by preference.
var names = [roles][]string{
	number: {
		"invoice number", "invoicenumber", "number", "num", "invoice no", "invoice #", "invoice", "no", "#",
		"document number", "doc number", "bill number", "bill no", "bill #", "bill",
	},
	party: {
		"customer full name", "customer name", "customer", "contact name", "contactname", "contact", "client name",
		"client", "name",
	},
	issued: {
		"issued", "issue date", "issued on", "invoice date", "invoicedate", "bill date", "transaction date", "date",
		"created",
	},
	due: {"due", "due date", "duedate", "due on"},
	amountDue: {
		"foreign open balance", "open balance", "amount remaining", "amount outstanding", "outstanding", "balance due",
		"open amount", "remaining", "invoiceamountdue", "amount due", "balance",
	},
	paid:     {"amount paid"},
	currency: {"currency", "currency code"},
	kind:     {"transaction type", "type"},
	status:   {"status", "invoice status", "paid"},
}

// maxColumns is the largest number of columns of a list.
const maxColumns = 200

// layout holds the index of each column, and what is written above the header.
type layout struct {
	separator rune
	header    int        // line number of the header
	at        [roles]int // index of the column of each role; -1 if there is none
	source    string
	lineItems bool   // true if an invoice has a row for each of its items
	title     string // texts above the header, in lower case
	vendors   bool   // true if a column names vendors
	asOf      writtenDate
	asOfText  string
}

var punctuation = strings.NewReplacer("*", "", "_", " ", "-", " ", ".", "")

// accents removes the accents of the languages in translated.
var accents = strings.NewReplacer("ä", "a", "ö", "o", "ü", "u", "ß", "ss", "á", "a", "à", "a", "â", "a",
	"ã", "a",
	"é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "î", "i", "ï", "i", "ó", "o", "ô", "o", "õ", "o",
	"ú", "u", "û", "u",
	"ù", "u", "ñ", "n", "ç", "c", "’", "'", "(", " ", ")", " ", "/", " ")

// columnOf returns the index of the best column of a role, or -1.
func columnOf(columns []string, of role) int {
	for _, list := range [...][]string{names[of], translated[of]} {
		for _, name := range list {
			if at := slices.Index(columns, name); at >= 0 {
				return at
			}
		}
	}
	return -1
}

// normalize removes the differences between programs in how they write a column name, such as
// capitals.
func normalize(name string) string {
	name = strings.TrimSuffix(strings.ToLower(bank.Text(name)), "(utc)")
	name = accents.Replace(punctuation.Replace(name))
	return strings.Join(strings.Fields(name), " ")
}

// readHeader reports whether the fields are the header of a list of open invoices. It must have
// columns for the amount due, for the due date, and for the number or customer of an invoice.
func (l *layout) readHeader(fields []string) bool {
	if len(fields) > maxColumns {
		return false
	}
	columns := make([]string, len(fields))
	for i, field := range fields {
		columns[i] = normalize(field)
	}
	for r := range roles {
		l.at[r] = columnOf(columns, r)
	}
	has := func(name string) bool { return slices.Contains(columns, name) }
	if total := slices.Index(columns, "total"); l.at[amountDue] < 0 && has("older") {
		l.at[amountDue] = total
	}
	l.lineItems = has("lineamount") || has("unitamount")
	l.source = ""
	switch {
	case has("open balance"):
		l.source = "quickbooks"
	case has("invoiceamountdue") || has("older"):
		l.source = "xero"
	case has("id") && has("amount due") && (has("subscription") || has("billing") || has("closed")):
		l.source = "stripe"
	}
	if l.source != "stripe" || has("amount remaining") {
		l.at[paid] = -1
	}
	l.vendors = false
	for _, name := range vendorNames {
		if at := slices.Index(columns, name); at >= 0 {
			l.at[party], l.vendors = at, true
			break
		}
	}
	named := l.at[number] >= 0 || l.at[party] >= 0
	if l.at[amountDue] >= 0 && slices.Contains([]string{"balance", "saldo", "solde"}, columns[l.at[amountDue]]) {
		named = l.at[number] >= 0
	}
	return l.at[due] >= 0 && l.at[amountDue] >= 0 && named
}

// readPreamble reads a record above the header: a title, or the day as of which the report was
// made.
func (l *layout) readPreamble(fields []string) {
	var cells []string
	for _, field := range fields {
		if field = bank.Text(field); field != "" {
			cells = append(cells, field)
		}
	}
	text := strings.Join(cells, ", ")
	lower := strings.ToLower(text)
	l.title += " " + lower
	for _, start := range asOfStarts {
		if rest, ok := strings.CutPrefix(lower, start); ok {
			if asOf, ok := readDate(rest); ok {
				l.asOf, l.asOfText = asOf, text
			}
		}
	}
}

// refusal returns why a report cannot be imported although it is about invoices. It returns "" if
// it can be imported.
func (l *layout) refusal() string {
	switch {
	case !l.titled("aging summary", "receivables summary", "payables summary", "ageing summary"):
		return ""
	case l.side() == bank.Payable:
		return "is a summary; import A/P Aging Detail, Unpaid Bills or Aged Payables Detail instead"
	}
	return "is a summary; import A/R Aging Detail, Open Invoices or Aged Receivables Detail instead"
}

// titled reports whether the texts above the header have one of these.
func (l *layout) titled(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(l.title, text) })
}

// side returns whether the file lists open invoices or bills.
func (l *layout) side() bank.Side {
	if l.vendors || l.titled("payables detail", "payables summary", "a/p aging", "unpaid bills") {
		return bank.Payable
	}
	return bank.Receivable
}

// item returns the word for what the file lists.
func (l *layout) item() string {
	if l.side() == bank.Payable {
		return "bill"
	}
	return "invoice"
}

// row is a record below the header.
type row struct {
	line    int
	fields  []string
	columns *layout
}

// get returns the cleaned text of the column with a role. It returns "" if the file has no such
// column.
func (r row) get(of role) string {
	if at := r.columns.at[of]; at >= 0 && at < len(r.fields) {
		return bank.Text(r.fields[at])
	}
	return ""
}

// grouped reports whether the list has groups. Above the rows of a group is a row that has only the
// group's name.
func (l *layout) grouped() bool {
	return !l.lineItems && l.source != "stripe" && (l.source != "" || l.at[party] < 0)
}

// label returns the text of a row that begins a group or has a total. It returns false for the row
// of an invoice.
func (r row) label() (text string, ok bool) {
	first, filled := -1, 0
	for i, field := range r.fields {
		if strings.TrimSpace(field) == "" {
			continue
		}
		if filled++; filled == 1 {
			first = i
		}
	}
	if filled == 0 {
		return "", false
	}
	text = bank.Text(r.fields[first])
	if filled == 1 && r.columns.grouped() && first != r.columns.at[amountDue] {
		return text, true
	}
	if r.get(issued) != "" && r.columns.at[issued] != first || r.get(due) != "" && r.columns.at[due] != first ||
		r.get(number) != "" && r.columns.at[number] != first {
		return "", false
	}
	_, total := totalOf(text)
	return text, total || isPercentage(text)
}

// isPercentage reports whether a label belongs to the row with the percentages of aging buckets.
func isPercentage(label string) bool {
	label = strings.ToLower(label)
	return strings.HasPrefix(label, "percentage") || strings.HasPrefix(label, "ageing percentage")
}

// blank reports whether all fields of a row are empty.
func (r row) blank() bool {
	return !slices.ContainsFunc(r.fields, func(field string) bool { return strings.TrimSpace(field) != "" })
}

// asOfDate returns the day as of which the list was made, from the file or else from the options.
func (l *layout) asOfDate(order bank.DateOrder, options bank.Options) (civil.Date, error) {
	if l.asOfText != "" {
		if day, ok := l.asOf.in(order); ok {
			return day, nil
		}
		return civil.Date{}, bank.Errorf(0, "the date of %q does not exist", bank.Short(l.asOfText))
	}
	if options.AsOf.IsZero() {
		return civil.Date{}, &bank.Question{
			Reason: "does not say at which day the " + l.item() + "s are open", Flag: "--as-of",
		}
	}
	return options.AsOf, nil
}
