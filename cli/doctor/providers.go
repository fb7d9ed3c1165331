package doctor

import (
	"context"
	"fmt"

	"tarmac/cli/books"
	"tarmac/internal/ownbooks"
	"tarmac/internal/termtext"
	"tarmac/service"
	"tarmac/service/store"
)

// examineProviders checks the connections of own books: whether they can be read, whether their
// tokens can be decrypted, and how old their data is. It sends nothing to the providers.
func (d *doctor) examineProviders(ctx context.Context, svc *service.Service, company store.Organization) error {
	_, org, err := svc.Organization(ctx, company.PublicID)
	if err != nil {
		return err
	}
	all, err := books.Connections(svc.Syncing(), org).Connections(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		var unusable error
		if all[i].Usable() {
			unusable = svc.Syncing().CheckCredential(ctx, org, all[i].ID)
		}
		d.examineProvider(&all[i], unusable)
	}
	return nil
}

// examineProvider checks a connection. The error unusable says why its token cannot be used; it is
// nil if it can.
func (d *doctor) examineProvider(c *ownbooks.Connection, unusable error) {
	const check = "providers"
	now := d.Now()
	found := c.Label + ": " + c.StateText(now) + ", last read " + c.LastText(now)
	if unusable == nil && c.Problem == "" && c.Residual == "" && c.Usable() {
		found += ", next " + c.NextText(now)
	}
	if c.RequestsLeft != nil && *c.RequestsLeft == 0 {
		found += ", no more readings can be asked for today"
	}
	connect := fmt.Sprintf("run `tarmac connect %s`", c.Provider)
	switch {
	case unusable != nil:
		d.problem(check, c.Label+": "+termtext.Line(unusable.Error()),
			"restore the key file, or "+connect+" with a new token")
	case c.State == ownbooks.Lost:
		d.problem(check, found+": "+string(c.Problem), "restore the key file, or "+connect+" with a new token")
	case c.State == ownbooks.Asking:
		d.problem(check, found+": "+c.Trouble(), "run `tarmac sync --accept-removed` if that is right")
	case !c.Usable():
		d.problem(check, found+": "+c.Trouble(), connect)
	case c.State == ownbooks.Failing && len(c.SignIn) > 0:
		d.problem(check, found+": "+c.Trouble(), c.Advice())
	case c.State == ownbooks.Failing:
		d.problem(check, found+": "+c.Trouble(), "it is tried again by itself; `tarmac sync` tries now")
	case c.Residual != "":
		d.note(check, found+": "+string(c.Residual), "`tarmac books` shows the days")
	case c.Late(now):
		d.note(check, found, "run `tarmac sync`, or keep the dashboard or `tarmac serve` open, which read by themselves")
	default:
		d.ok(check, found)
	}
}
