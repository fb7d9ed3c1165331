package proposal

import (
	"slices"
	"strconv"
	"strings"

	"tarmac/apiclient"
	"tarmac/client/draft"
	"tarmac/internal/civil"
	"tarmac/internal/money"
)

// FieldNames and CellNames are the names in the API of the fields of a proposal and of a line item,
// in the order of the form.
var (
	FieldNames = [...]string{"recipient_name", "recipient_email", "description", "due_date", "notes"}
	CellNames  = [...]string{"description", "quantity", "unit_price_cents"}
)

// LineName returns the name in the API of the line item with this index, such as "line_items[0]".
func LineName(line int) string { return "line_items[" + strconv.Itoa(line) + "]" }

// CellName returns the name in the API of a field of a line item, such as "line_items[0].quantity".
// Both arguments are indexes.
func CellName(line, cell int) string { return LineName(line) + "." + CellNames[cell] }

// Read parses a draft. wrong maps the API names of invalid fields to messages (docs/api.md, Invoice
// proposal). The message about an invalid amount is assigned to the price of that line item.
func Read(d draft.Draft, today civil.Date) (p apiclient.InvoiceProposal, wrong map[string]string) {
	unread := map[string]string{}
	note := func(name string, err error) {
		if err != nil {
			unread[name] = err.Error()
		}
	}
	p = apiclient.InvoiceProposal{
		RecipientName: strings.TrimSpace(d.RecipientName), RecipientEmail: strings.TrimSpace(d.RecipientEmail),
		Description: strings.TrimSpace(d.Description), Notes: strings.TrimSpace(d.Notes),
	}
	var err error
	p.DueDate, err = civil.ParseDue(d.DueDate, today)
	note("due_date", err)
	for i, l := range d.Lines {
		item, quantity, price := readLine(l)
		note(CellName(i, 1), quantity)
		note(CellName(i, 2), price)
		p.LineItems = append(p.LineItems, item)
	}
	wrong = map[string]string{}
	for _, broken := range p.Check() {
		wrong[broken.Field] = strings.TrimPrefix(broken.Text, broken.Field+" ")
	}
	for name, text := range unread {
		wrong[name] = text
	}
	for i := range d.Lines {
		text, broken := wrong[LineName(i)]
		if _, priced := wrong[CellName(i, 2)]; broken && !priced {
			wrong[CellName(i, 2)] = text
		}
		delete(wrong, LineName(i))
	}
	return p, wrong
}

func readLine(l draft.Line) (item apiclient.LineItem, quantity, price error) {
	item.Description = strings.TrimSpace(l.Description)
	item.Quantity, quantity = ParseQuantity(l.Quantity)
	item.UnitPriceCents, price = money.Parse(l.UnitPrice, apiclient.InvoiceCurrency)
	return item, quantity, price
}

// Blank reports whether all fields of a line item are blank.
func Blank(l draft.Line) bool {
	return strings.TrimSpace(l.Description+l.Quantity+l.UnitPrice) == ""
}

// WithoutBlank returns the line items that are not blank, and their indexes in lines. If all of
// them are blank, it returns the last one.
func WithoutBlank(lines []draft.Line) (entered []draft.Line, indexes []int) {
	for i, l := range lines {
		if !Blank(l) {
			entered, indexes = append(entered, l), append(indexes, i)
		}
	}
	if len(entered) == 0 && len(lines) > 0 {
		return slices.Clone(lines[len(lines)-1:]), []int{len(lines) - 1}
	}
	return entered, indexes
}
