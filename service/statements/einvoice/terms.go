package einvoice

import (
	"fmt"
	"slices"
	"strings"

	"tarmac/internal/civil"
	"tarmac/service/statements/bank"
)

// term is one of an invoice's payment terms, such as the net amount in 30 days or a discount in 10.
type term struct {
	due      []string
	text     string
	percent  string // percentage of a discount
	discount bool   // true if the file has fields of a discount
}

// termPaths lists the paths of payment terms in UBL and CII.
var termPaths = []string{"Invoice/PaymentTerms", settlement + "SpecifiedTradePaymentTerms"}

// termFields maps the paths in payment terms to what takes their text.
var termFields = map[string]func(t *term, text string){
	"PaymentDueDate":                       (*term).addDue,
	"DueDateDateTime/DateTimeString":       (*term).addDue,
	"SettlementPeriod/EndDate":             (*term).addDiscountEnd,
	"Note":                                 func(t *term, text string) { t.text += " " + text },
	"Description":                          func(t *term, text string) { t.text += " " + text },
	"SettlementDiscountPercent":            (*term).addPercent,
	"SettlementDiscountAmount":             func(t *term, text string) { t.discount = t.discount || !isZero(text) },
	discountTerms + "CalculationPercent":   (*term).addPercent,
	discountTerms + "ActualDiscountAmount": func(t *term, text string) { t.discount = t.discount || !isZero(text) },
}

const discountTerms = "ApplicableTradePaymentDiscountTerms/"

// maxTerms is the largest number of payment terms, and of due dates in each, that are read.
const maxTerms = 100

func (t *term) addDue(text string) {
	if len(t.due) < maxTerms {
		t.due = append(t.due, text)
	}
}

// addDiscountEnd adds the last day of a discount, which counts as a due date of UBL's terms only if
// they have no other.
func (t *term) addDiscountEnd(text string) {
	if t.discount && len(t.due) == 0 {
		t.addDue(text)
	}
}

func (t *term) addPercent(text string) {
	if !isZero(text) {
		t.discount, t.percent = true, text
		if strings.Contains(text, ".") {
			t.percent = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
	}
}

// isZero reports whether all digits of a number are zeros.
func isZero(text string) bool { return !strings.ContainsAny(text, "123456789") }

// Words in the texts of payment terms: of a discount, and of the net amount.
var (
	discountWords = []string{"skonto", "discount", "escompte", "descuento", "sconto", "korting", "rabatt", "skonta"}
	netWords      = []string{
		"ohne abzug", "netto", " net ", "without deduction", "sans escompte", "sin descuento", "senza sconto",
		"zonder korting", "full amount", "no discount",
	}
)

// isDiscount reports whether the terms are about a discount and not about the net amount.
func (t *term) isDiscount() bool {
	text := " " + strings.ToLower(t.text) + " "
	has := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(text, word) })
	}
	return (t.discount || has(discountWords)) && !has(netWords)
}

// takeTerm adds an element to the payment terms. It returns false if the path is not in them.
func (d *document) takeTerm(path, text string, begins bool) bool {
	for _, of := range termPaths {
		rest, found := strings.CutPrefix(path, of)
		switch {
		case !found || rest != "" && rest[0] != '/':
			continue
		case rest == "" && begins && len(d.terms) < maxTerms:
			d.terms = append(d.terms, term{})
		case rest != "" && !begins && text != "" && len(d.terms) > 0:
			if take := termFields[rest[1:]]; take != nil {
				take(&d.terms[len(d.terms)-1], text)
			}
		}
		return true
	}
	return false
}

// dueDate returns the earliest day on which the net amount is due, or the zero date if there is
// none. The last day of a discount is not a due date, unless the only terms have both.
func (d *document) dueDate(sink bank.Sink) (earliest civil.Date, err error) {
	net, ends := slices.Clone(d.due), []term(nil)
	for i := range d.terms {
		if t := &d.terms[i]; t.isDiscount() {
			ends = append(ends, *t)
		} else {
			net = append(net, t.due...)
		}
	}
	days, err := daysOf(net)
	if err != nil {
		return earliest, err
	}
	if len(days) == 0 {
		var all []string
		for _, t := range ends {
			all = append(all, t.due...)
		}
		if days, err = daysOf(all); err != nil || len(days) == 0 {
			return earliest, err
		}
		return days[len(days)-1], nil
	}
	for _, t := range ends {
		if err := d.nameDiscount(t, sink); err != nil {
			return earliest, err
		}
	}
	if len(days) > 1 {
		sink.Problem(0, fmt.Sprintf("the invoice %q has %d due dates: the earliest, %s, counts for its whole amount",
			bank.Short(d.number), len(days), days[0]))
	}
	return days[0], nil
}

// nameDiscount says until when an invoice has a discount.
func (d *document) nameDiscount(t term, sink bank.Sink) error {
	days, err := daysOf(t.due)
	if err != nil || len(days) == 0 {
		return err
	}
	of := "a discount"
	if t.percent != "" {
		of += " of " + bank.Short(t.percent) + "%"
	}
	sink.Problem(0, fmt.Sprintf("the invoice %q has %s until %s", bank.Short(d.number), of, days[0]))
	return nil
}

// daysOf parses dates and returns the different ones in order.
func daysOf(texts []string) (days []civil.Date, err error) {
	for _, text := range texts {
		one, err := day(text)
		if err != nil {
			return nil, err
		}
		days = append(days, one)
	}
	slices.SortFunc(days, civil.Date.Compare)
	return slices.Compact(days), nil
}
