package cli

import (
	"context"
	"strings"

	"tarmac/apiclient"
	"tarmac/service"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
)

// asidesOf looks up the categories and the accounts of an organization's transactions in a service
// of this program. name returns the name of a category as people read it.
func asidesOf(svc *service.Service, org string, name func(string) string) apiclient.Asides {
	return func(ctx context.Context, ids []string) (map[string]apiclient.Aside, error) {
		books, err := svc.Books(ctx, org)
		if err != nil {
			return nil, err
		}
		known, err := books.Asides(ctx, ids)
		named := make(map[string]apiclient.Aside, len(known))
		for id, aside := range known {
			named[id] = apiclient.Aside{Category: name(aside.Category), Account: aside.Account}
		}
		return named, err
	}
}

// categoryName returns the name of a category of own books. The names that rules give are those
// that the user wrote.
func categoryName(category string) string {
	switch category {
	case ledger.CategoryInternalTransfer:
		return "Own transfer"
	case ledger.CategoryFinancing:
		return "Financing"
	}
	return category
}

// demoCategoryName returns the name of a category of the sample company, such as "Payroll taxes"
// for payroll_taxes. What the sample company has not categorized has no category.
func demoCategoryName(category string) string {
	if category == "" || category == demodata.Uncategorized {
		return ""
	}
	if name := categoryName(category); name != category {
		return name
	}
	return strings.ToUpper(category[:1]) + strings.ReplaceAll(category[1:], "_", " ")
}
