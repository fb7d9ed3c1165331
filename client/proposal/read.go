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

// The API's names of the fields of a proposal and of a line, in the order in which they are typed.
var (
	FieldNames = [...]string{"recipient_name", "recipient_email", "description", "due_date", "notes"}
	CellNames  = [...]string{"description", "quantity", "unit_price_cents"}
)

// LineName is the API's name of a line, "line_items[0]" for the first.
func LineName(line int) string { return "line_items[" + strconv.Itoa(line) + "]" }

// CellName is the API's name of a field of a line, "line_items[0].quantity".
func CellName(line, cell int) string { return LineName(line) + "." + CellNames[cell] }

// Read returns the proposal that a draft stands for, and what is wrong with it, by the API's names
// of the fields. The rules and their texts are apiclient's, which are the service's (docs/api.md,
// Invoice proposal); a line whose amount is wrong is wrong at its price.
func Read(d draft.Draft, today civil.Date) (p apiclient.InvoiceProposal, wrong map[string]string) {
	unread := map[string]string{}
	note := func(name, text string, err error) {
		// Empty fields are left to the rules.
		if err != nil && strings.TrimSpace(text) != "" {
			unread[name] = err.Error()
		}
	}
	p = apiclient.InvoiceProposal{
		RecipientName: strings.TrimSpace(d.RecipientName), RecipientEmail: strings.TrimSpace(d.RecipientEmail),
		Description: strings.TrimSpace(d.Description), Notes: strings.TrimSpace(d.Notes),
	}
	var err error
	p.DueDate, err = civil.ParseDue(d.DueDate, today)
	note("due_date", d.DueDate, err)
	for i, l := range d.Lines {
		item, quantity, price := readLine(l)
		note(CellName(i, 1), l.Quantity, quantity)
		note(CellName(i, 2), l.UnitPrice, price)
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

// LineAmount returns what a line comes to in US cents; false while it does not.
func LineAmount(l draft.Line) (cents int64, ok bool) {
	item, _, _ := readLine(l)
	cents, err := item.Amount()
	return cents, err == nil
}

func readLine(l draft.Line) (item apiclient.LineItem, quantity, price error) {
	item.Description = strings.TrimSpace(l.Description)
	item.Quantity, quantity = ParseQuantity(l.Quantity)
	item.UnitPriceCents, price = money.Parse(l.UnitPrice, "USD")
	return item, quantity, price
}

// Blank reports whether nothing was typed into a line.
func Blank(l draft.Line) bool {
	return strings.TrimSpace(l.Description+l.Quantity+l.UnitPrice) == ""
}

// WithoutBlank returns the lines into which something was typed, and which of all lines they are;
// of lines that are all blank, the last one.
func WithoutBlank(all []draft.Line) (rest []draft.Line, at []int) {
	for i, l := range all {
		if !Blank(l) {
			rest, at = append(rest, l), append(at, i)
		}
	}
	if len(rest) == 0 && len(all) > 0 {
		return slices.Clone(all[len(all)-1:]), []int{len(all) - 1}
	}
	return rest, at
}
