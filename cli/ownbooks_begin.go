package cli

import (
	"context"
	"os"

	"tarmac/cli/books"
	"tarmac/service"
	"tarmac/service/store"
)

// areNew reports whether the books are as they were made without a name: nothing was imported, no
// provider is connected, and the company has no name.
func areNew(ctx context.Context, svc *service.Service, org store.Organization) (bool, error) {
	b, err := svc.Books(ctx, org.PublicID)
	if err != nil || org.Name != books.DefaultCompany {
		return false, err
	}
	imports, err := b.Imports(ctx)
	if err != nil || len(imports) > 0 {
		return false, err
	}
	_, key, err := svc.Organization(ctx, org.PublicID)
	if err != nil {
		return false, err
	}
	connections, err := books.Connections(svc.Syncing(), key).Connections(ctx)
	return len(connections) == 0, err
}

// name gives the company of new books a name, which is their owner's too.
func (o ownBooks) name(ctx context.Context, svc *service.Service, org store.Organization, name string) error {
	if err := svc.Rename(ctx, org.PublicID, name); err != nil {
		return err
	}
	_, err := svc.SetOwner(ctx, org.PublicID, name, ownerAddress)
	return err
}

// removeEmpty removes the books at path if nothing was imported into them. Books that cannot be
// read stay.
func (o ownBooks) removeEmpty(ctx context.Context, path string) {
	empty := false
	err := o.open(ctx, path, openOptions{}, func(svc *service.Service) error {
		org, err := companyIn(ctx, svc, path)
		if err == nil {
			empty, err = areNew(ctx, svc, org)
		}
		return err
	})
	if err != nil || !empty {
		return
	}
	for _, ending := range sqliteEndings {
		_ = os.Remove(path + ending)
	}
}
