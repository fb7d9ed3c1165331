package sample

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"tarmac/client/mask"
	"tarmac/internal/testsupport/long"
	"tarmac/theme"
)

// figure matches a number on a screen, whole or truncated.
var figure = regexp.MustCompile(`\d[\d,.]*`)

// CheckMasked fails t if a page that masks amounts shows four consecutive digits of one of them.
// minor lists the amounts in minor units. It draws the page in a ninth of Sizes, and in a third
// where long tests run. Amounts of three digits or fewer are ignored, because any number may
// contain their digits.
func CheckMasked(t testing.TB, p interface {
	Page
	SetTheme(theme.Theme)
}, minor ...int64,
) {
	t.Helper()
	looks := theme.New(true)
	looks.Masked = true
	p.SetTheme(looks)
	var secrets []string
	for _, m := range minor {
		if digits := strings.TrimLeft(strconv.FormatInt(m, 10), "-"); len(strings.TrimRight(digits, "0")) >= 4 {
			secrets = append(secrets, digits)
		}
	}
	all, plain, every := strings.Join(secrets, " "), strings.NewReplacer(",", "", ".", ""), long.Size(9, 3)
	for width, height := range Sizes {
		if width < 24 || (width*61+height)%every != 0 {
			continue
		}
		p.SetSize(width, height)
		picture := mask.Text(p.View())
		CheckSize(t, picture, width, height)
		for _, seen := range figure.FindAllString(ansi.Strip(picture), -1) {
			if digits := plain.Replace(seen); len(digits) >= 4 && strings.Contains(all, digits) {
				t.Errorf("%s of an amount is seen at %dx%d:\n%s", seen, width, height, ansi.Strip(picture))
				return
			}
		}
	}
}

// Amounts returns all amounts of an organization, in minor units.
func (o *Organization) Amounts() []int64 {
	all := []int64{o.Cash.CashCents, o.Cash.MonthlyBurnCents, 450_000, 123_456}
	if b := o.Account.Balance; b != nil {
		all = append(all, b.AvailableCents, b.HoldingCents, b.LockedCents, b.PendingCents)
	}
	b := o.Aging.Buckets
	all = append(all, b.CurrentCents, b.Days1To30Cents, b.Days31To60Cents, b.Days61To90Cents, b.Days90PlusCents)
	for _, c := range o.Aging.TopOverdue {
		all = append(all, *c.OverdueCents)
	}
	for _, p := range []*int64{o.Cash.RunwayCashCents, o.Aging.Totals.OutstandingCents, o.Aging.Totals.OverdueCents} {
		if p != nil {
			all = append(all, *p)
		}
	}
	for _, m := range o.Months {
		all = append(all, m.InflowMinor, m.OutflowMinor, m.NetMinor)
	}
	for _, t := range o.Latest {
		if cents, known := t.Amount.Minor(); known {
			all = append(all, cents)
		}
	}
	return all
}
