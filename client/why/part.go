package why

import (
	"slices"
	"strings"

	"tarmac/client/spending"
)

// Part is what one counterparty, or a group of rows, adds to a change. Cents are minor units.
type Part struct {
	Name   string
	Cents  int64
	Reason string // a few words, such as "yearly" or "3 payments, not 2"; "" if there is nothing to say
	Rows   []int  // indices in Ledger.Rows, newest first

	verb  string // such as "paid" or "cost"; "" for a sum, which rises or falls
	than  string // what the text compares it with, such as "in July"; "" if the sentence says that before
	isOut bool   // Cents are negative if more goes out, not if less comes in
}

// text returns the part in words, so that no reader has to know what the sign of an amount means:
// "Payroll cost $8,200.00 more (3 payments, not 2)".
func (p *Part) text(currency string, write func(minor int64, currency string) string) string {
	amount, verb, degree := write(size(p.Cents), currency), p.verb, " less"
	more := p.Cents > 0 != p.isOut
	switch {
	case verb == "" && more:
		verb, degree = "rose", ""
	case verb == "":
		verb, degree = "fell", ""
	case more:
		degree = " more"
	}
	if p.Reason == NoPayment {
		preposition := "from "
		if p.isOut {
			preposition = "to "
		}
		return NoPayment + " " + preposition + shortened(p.Name) + " (" + amount + ")"
	}
	text := shortened(p.Name) + " " + verb + " " + amount + degree
	if p.than != "" {
		text += " than " + p.than
	}
	if p.Reason != "" {
		text += " (" + p.Reason + ")"
	}
	return text
}

// textsOf returns the texts of parts.
func textsOf(parts []Part, currency string, write func(minor int64, currency string) string) (texts []string) {
	for i := range parts {
		texts = append(texts, parts[i].text(currency, write))
	}
	return texts
}

// groupsOf returns parts in fewer words, apart by whether they made a net worse or better: "Worse:
// Payroll $8,200.00, other costs $423.00. Better: Hooli $500.00."
func groupsOf(parts []Part, currency string, write func(minor int64, currency string) string) string {
	var worse, better []string
	for i := range parts {
		group := &better
		if parts[i].Cents < 0 {
			group = &worse
		}
		*group = append(*group, shortened(parts[i].Name)+" "+write(size(parts[i].Cents), currency))
	}
	text := ""
	if len(worse) > 0 {
		text += " Worse: " + strings.Join(worse, ", ") + "."
	}
	if len(better) > 0 {
		text += " Better: " + strings.Join(better, ", ") + "."
	}
	return text[min(1, len(text)):]
}

// nameFlow sets the words of the part from its net before and after.
func (p *Part) nameFlow(before, after int64, purpose spending.Purpose) {
	verbs := [...]string{"paid", "cost"}
	if purpose != spending.Operating {
		verbs = [...]string{"brought", "took"}
	}
	p.verb, p.isOut = verbs[0], spending.IsCost(before, after)
	if p.isOut {
		p.verb = verbs[1]
	}
}

// othersOf returns what the sums that are not named add, income and costs apart. It returns false
// if one of the two is too large.
func othersOf(rest []*sum, prefix string) (parts []Part, ok bool) {
	var income, costs sum
	for _, s := range rest {
		group := &income
		if spending.IsCost(s.before, s.after) {
			group = &costs
		}
		if !group.add(s.after, s.before) {
			return nil, false
		}
		group.rows = append(group.rows, s.rows...)
	}
	for _, p := range [...]Part{
		{Name: prefix + "income", Cents: income.difference(), Rows: income.rows},
		{Name: prefix + "costs", Cents: costs.difference(), Rows: costs.rows, isOut: true},
	} {
		if len(p.Rows) > 0 {
			slices.Sort(p.Rows)
			parts = append(parts, p)
		}
	}
	return parts, true
}

// NoPayment begins the text of a part without a payment in the month; its amount is in parentheses.
const NoPayment = "no payment"
