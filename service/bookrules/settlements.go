package bookrules

import (
	"cmp"
	"slices"
	"strings"
)

// Settlement is an open invoice of the organization whose number a paid invoice at a provider has.
type Settlement struct {
	Paid    PaidInvoice
	Invoice OwnInvoice
	// Differences says in words what else the two do not have in common. If it is empty, the
	// organization's invoice is paid. Otherwise only the user knows.
	Differences []string
}

// Settlements returns the open invoices that are paid according to a provider, ordered by number.
// An invoice counts as paid if number, total, currency and e-mail address agree with those of a
// paid invoice at the provider. If only the number agrees, the settlement names the differences.
func Settlements(invoices []OwnInvoice, paid []PaidInvoice) []Settlement {
	var found []Settlement
	for _, own := range invoices {
		if own.Minor <= 0 || squeeze(own.Number) == "" {
			continue
		}
		best := -1
		var differences []string
		for n := range paid {
			if squeeze(paid[n].Number) != squeeze(own.Number) {
				continue
			}
			if d := own.differences(&paid[n]); best < 0 || len(d) < len(differences) {
				best, differences = n, d
			}
		}
		if best >= 0 {
			found = append(found, Settlement{Paid: paid[best], Invoice: own, Differences: differences})
		}
	}
	slices.SortFunc(found, func(a, b Settlement) int {
		return cmp.Or(cmp.Compare(a.Invoice.Number, b.Invoice.Number), cmp.Compare(a.Invoice.ID, b.Invoice.ID))
	})
	return found
}

// differences says what an invoice and a paid one at a provider do not have in common, besides
// their numbers.
func (i *OwnInvoice) differences(p *PaidInvoice) (words []string) {
	if i.Currency != p.Currency {
		words = append(words, "the currency")
	}
	if i.TotalMinor != p.TotalMinor {
		words = append(words, "the total")
	}
	email := strings.TrimSpace(p.Email)
	if email == "" || !strings.EqualFold(email, strings.TrimSpace(i.Email)) {
		words = append(words, "the e-mail address")
	}
	return words
}

// SettlementID identifies a paid invoice at a provider like the id of a transaction.
func (p *PaidInvoice) SettlementID() string { return p.Connection + "/" + p.RemoteID }
