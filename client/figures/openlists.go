package figures

import (
	"time"

	"tarmac/apiclient"
	"tarmac/internal/civil"
)

// noList says why nothing is known about who owes what.
const noList = "No list of open invoices was imported."

// importList says how to import a list of open invoices.
const importList = "Import one with `tarmac import FILE`: a CSV of QuickBooks, Xero, Stripe or your own."

// HasNoList reports whether the receivables are those of own books into which no list of open
// invoices was imported, so that nobody knows who owes what.
func HasNoList(a *apiclient.ReceivablesAging) bool {
	return a.Imported != nil && len(a.Imported.Lists) == 0
}

// NoReceivables says that nothing is outstanding, or why that is not known. It is for receivables
// that are empty.
func NoReceivables(a *apiclient.ReceivablesAging) string {
	return unlessUnlisted(a, "No open receivables: nobody owes anything")
}

// NoneOverdue says that no invoice is overdue, or why that is not known.
func NoneOverdue(a *apiclient.ReceivablesAging) string {
	return unlessUnlisted(a, "No overdue invoices")
}

// NoCustomers says that there are no customers, or why they are not known.
func NoCustomers(a *apiclient.ReceivablesAging) string { return unlessUnlisted(a, "No customers yet") }

// unlessUnlisted returns a claim as a sentence, with the day of the list that it follows from. If
// there is no list, it says that instead.
func unlessUnlisted(a *apiclient.ReceivablesAging, claim string) string {
	switch day := ListDay(a); {
	case HasNoList(a):
		return noList + " " + importList
	case day != "":
		return claim + " as of " + day + "."
	}
	return claim + "."
}

// ListDay returns the day of the imported list of open invoices, such as "30 Sep 2026", or "" if
// there is none. Of several lists it is the oldest.
func ListDay(a *apiclient.ReceivablesAging) string {
	var oldest civil.Date
	if a.Imported != nil {
		for _, list := range a.Imported.Lists {
			if oldest.IsZero() || list.AsOf.Before(oldest) {
				oldest = list.AsOf
			}
		}
	}
	if oldest.IsZero() {
		return ""
	}
	return oldest.Time().Format("2 Jan 2006")
}

// ReceivablesAsOf says of when receivables are: of the day of the imported list, or else of the
// time at which the server computed them. It returns "" if neither is known.
func ReceivablesAsOf(a *apiclient.ReceivablesAging, now time.Time) string {
	if day := ListDay(a); day != "" {
		return "of " + day // short enough for the narrowest panel
	}
	return WithTime("as of", a.AsOf, now)
}
