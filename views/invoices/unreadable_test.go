package invoices_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tarmac/apiclient"
)

// makeUnreadable makes an invoice unreadable except for its ID and number.
func (s *server) makeUnreadable(at int) {
	i := s.invoices[at]
	why := &apiclient.ContractError{Field: fmt.Sprintf("[%d].total_cents", at), Problem: "is missing"}
	s.invoices[at] = apiclient.Invoice{ID: i.ID, Number: i.Number, Unreadable: why}
}

func TestAnInvoiceThatCannotBeReadDoesNotHideTheOthers(t *testing.T) {
	d := build(t, 12)
	d.server.makeUnreadable(1)
	d.run(d.Init())

	d.shows("1 invoice could not be read", "row 1 of 12", "INV-000012", "INV-000011", "INV-000010")
	d.press("j", "enter")
	d.shows("Problem", "total_cents is missing", "inv_11", "unreadable")
	d.press("esc", "/")
	d.write("000003")
	d.shows("1 invoice could not be read")
	d.press("esc")

	d.server.invoices = testInvoices(12)
	d.run(d.Refresh())
	d.hides("could not be read")
}

func TestAnInvoiceThatCannotBeReadStaysSaidWhileTheListIsOld(t *testing.T) {
	d := build(t, 3)
	d.server.makeUnreadable(0)
	d.run(d.Init())

	d.server.fail = errors.New("broken pipe")
	d.run(d.Refresh())

	d.shows("stale", "could not be read", "INV-000003")
}

func TestAnExportedListSaysWhatItIsWithout(t *testing.T) {
	d := build(t, 12)
	d.server.makeUnreadable(1)
	d.server.makeUnreadable(4)
	d.run(d.Init())

	d.press("e", "enter")

	if len(d.said) != 1 ||
		!strings.HasPrefix(d.said[0], "exported 10 invoices (2 more could not be read and are not in the file) to ") {
		t.Errorf("it said %q", d.said)
	}
}
