package report

import (
	"tarmac/client/payables"
	"tarmac/internal/plural"
)

// mostVendors is the largest number of vendors with bills that a report names.
const mostVendors = 5

// hasBills reports whether anything is known about bills. Most servers keep none.
func (r *Report) hasBills() bool {
	return r.Bills.Problem != "" || r.Bills.Value != nil && r.Bills.Value.Known()
}

// billsSection shows what is to be paid to vendors.
func (r *Report) billsSection(f format) section {
	s := section{ID: "bills", Title: "Bills to pay today"}
	if !r.Bills.Known() {
		return s.note(r.Bills.Problem)
	}
	p := r.Bills.Value
	if len(p.Open) == 0 {
		return s.note("No bills to pay.").note(disputedText(p))
	}
	t := table{Columns: []column{{Title: "Vendor"}, {"Bills", true, true}, {"Past due", true, false},
		{"To pay", true, false}}}
	rest := []payables.Bill{}
	for i := range p.Vendors {
		v := &p.Vendors[i]
		if i >= mostVendors {
			rest = append(rest, v.Bills...)
			continue
		}
		t.Rows = append(t.Rows, row{Cells: []string{name(v.Name), plural.Count(len(v.Bills), "bill"), f.total(v.PastDue),
			f.total(v.Total)}})
	}
	if more := len(p.Vendors) - mostVendors; more > 0 {
		t.Rows = append(t.Rows, row{Cells: []string{plural.Count(more, "other"), plural.Count(len(rest), "bill"),
			f.total(p.Sum(payables.PastDue(rest))), f.total(p.Sum(rest))}})
	}
	t.Rows = append(t.Rows, row{
		Cells: []string{"Total", plural.Count(len(p.Open), "bill"), f.total(p.PastDue), f.total(p.Total)}, Total: true,
	})
	s.Tables = []table{t}
	within := p.Due(payables.Week)
	s = s.note("Due within " + plural.Count(payables.Week, "day") + ", beside what is past due: " + f.total(within) + ".")
	return s.note(f.sentence(p.Total.Why())).note(disputedText(p))
}

func disputedText(p *payables.Payables) string {
	if len(p.Disputed) == 0 {
		return ""
	}
	return plural.Count(len(p.Disputed), "bill") + " disputed and in no sum."
}
