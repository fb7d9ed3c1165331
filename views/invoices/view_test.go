package invoices_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/testsupport/sample"
	"tarmac/theme"
	"tarmac/views"
)

var update = sample.UpdateFlag()

func states(t testing.TB) map[string]*fixture {
	out := map[string]*fixture{
		"list": open(t, 40), "full": open(t, 200), "empty": open(t, 0), "detail": open(t, 40), "loading": build(t, 3),
		"searching": open(
			t,
			40,
		), "nothing found": open(t, 40), "customer": build(t, 40), "one": build(t, 40), "gone": build(t, 3),
		"hostile": build(t, 6), "forbidden": build(t, 3), "stale": open(t, 40), "saving": open(t, 3),
	}
	out["detail"].press("j", "j", "enter")
	out["searching"].press("/", "t", "r")
	out["nothing found"].press("/", "q", "q", "enter")
	out["customer"].run(
		out["customer"].Show(views.InvoicesTarget{Status: apiclient.InvoiceOverdue, Customer: "Müller & Söhne"}),
	)
	out["one"].run(out["one"].Show(views.InvoiceTarget{ID: "inv_37"}))
	out["gone"].run(out["gone"].Show(views.InvoiceTarget{ID: strings.Repeat("inv_", 50)}))
	out["forbidden"].server.fail = &apiclient.Error{Status: 403, Scope: "invoices:read"}
	out["forbidden"].run(out["forbidden"].Init())
	out["stale"].server.fail = errors.New("broken pipe")
	out["stale"].run(out["stale"].Refresh())
	out["saving"].Update(press("s"))
	endless := strings.Repeat("日本e\u0301", 80)
	for k := range out["hostile"].server.invoices {
		i := &out["hostile"].server.invoices[k]
		i.Number, i.RecipientName, i.Description, i.RecipientEmail = endless, endless, endless, ""
		i.Status = apiclient.InvoiceStatus(endless)
		i.Total, i.Tax, i.Subtotal = apiclient.NewAmount(
			-1<<63,
			"KWD",
		), apiclient.Amount{}, apiclient.NewAmount(
			1<<63-1,
			endless,
		)
		i.CreatedAt = time.Time{}
	}
	out["hostile"].run(out["hostile"].Init())
	out["hostile"].press("enter")
	return out
}

func TestEverySizeIsFilledExactlyInEveryState(t *testing.T) {
	for name, d := range states(t) {
		t.Run(name, func(t *testing.T) { sample.CheckAllSizes(t, d) })
	}
}

func TestPictures(t *testing.T) {
	all := states(t)
	for _, name := range []string{"list", "detail", "customer", "one", "full", "searching"} {
		for _, size := range [][2]int{{200, 30}, {120, 26}, {80, 16}, {40, 9}} {
			all[name].SetSize(size[0], size[1])
			sample.Golden(
				t,
				fmt.Sprintf("%s-%dx%d", strings.ReplaceAll(name, " ", "-"), size[0], size[1]),
				all[name].View(),
				*update,
			)
		}
	}
}

// The help lists each key only once.
func TestNoKeyIsOfferedTwice(t *testing.T) {
	for name, d := range states(t) {
		seen := map[string]string{}
		for _, group := range d.Help() {
			for _, b := range group.Bindings {
				if !b.Enabled() {
					continue
				}
				for _, k := range b.Keys() {
					if other, twice := seen[k]; twice {
						t.Errorf("%s: %s is %q and %q", name, k, other, b.Help().Desc)
					}
					seen[k] = b.Help().Desc
				}
			}
		}
		if len(seen) == 0 {
			t.Errorf("%s: no keys", name)
		}
	}
}

func BenchmarkStepAndView(b *testing.B) {
	d := open(b, 200)
	d.press("enter")
	keys := [...]string{"j", "k"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.Update(press(keys[i/150%2]))
		if d.View() == "" {
			b.Fatal("nothing drawn")
		}
	}
}

func TestMaskedNoAmountIsSeen(t *testing.T) {
	for name, d := range states(t) {
		var all []int64
		for _, i := range d.server.invoices {
			for _, a := range []apiclient.Amount{i.Subtotal, i.Tax, i.Total} {
				if minor, known := a.Minor(); known {
					all = append(all, minor)
				}
			}
		}
		t.Run(name, func(t *testing.T) { sample.CheckMasked(t, d, all...) })
	}
}

func TestMaskedAmountsAreAskedAboutBeforeThePDFIsSaved(t *testing.T) {
	d := open(t, 9)
	looks := theme.New(true)
	looks.Masked = true
	d.SetTheme(looks)
	d.press("s")
	d.shows("Amounts are hidden; the PDF will show them. Save anyway?")
	if d.press("n"); len(d.said) > 0 || d.Typing() {
		t.Errorf("after no it said %q", d.said)
	}
	d.press("s", "y")
	if len(d.said) != 1 || !strings.HasPrefix(d.said[0], "saved ") {
		t.Errorf("after yes it said %q", d.said)
	}
}

func TestAnEmptyListNamesTheKeyForADraft(t *testing.T) {
	open(t, 0).shows("No invoices yet. Press n to draft one.")

	readOnly := open(t, 0, func(o *views.Env) { o.ReadOnly = true })
	readOnly.shows("No invoices yet.")
	readOnly.hides("Press n")
}

func TestNumbersAreWholeAndTellInvoicesApart(t *testing.T) {
	d := build(t, 12)
	for k := range d.server.invoices {
		d.server.invoices[k].Number = fmt.Sprintf("INV-2026-%05d", 12-k)
	}
	d.run(d.Init())

	for _, width := range []int{40, 60, 80, 120, 200} {
		d.SetSize(width, 20)
		for _, i := range d.server.invoices {
			d.shows(i.Number)
		}
	}
	d.SetSize(17, 20)
	d.shows("00007", "00008")
}
