package cli

import (
	"context"
	"strings"

	"tarmac/apiclient"
	"tarmac/service"
	"tarmac/service/demodata"
	"tarmac/service/ledger"
	"tarmac/service/store"
)

// categoriesOf looks up the categories of an organization's transactions in a service of this
// program. name returns the name of a category as people read it.
func categoriesOf(svc *service.Service, org store.OrgKey, name func(string) string) apiclient.Categories {
	return func(ctx context.Context, ids []string) (named map[string]string, err error) {
		err = svc.Store().Read(ctx, func(snap *store.Snapshot) error {
			named, err = snap.Categories(org, ids)
			return err
		})
		for id, category := range named {
			named[id] = name(category)
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
	if category == demodata.Uncategorized {
		return ""
	}
	if name := categoryName(category); name != category || name == "" {
		return name
	}
	return strings.ToUpper(category[:1]) + strings.ReplaceAll(category[1:], "_", " ")
}
