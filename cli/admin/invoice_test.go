package admin_test

import (
	"regexp"
	"strings"
	"testing"
)

var invoiceExtras = []string{"paid_cents", "content_withheld", "owner_name", "owner_email"}

func TestOperatorLeadsAnInvoiceThroughItsLife(t *testing.T) {
	o := newOperated(t)
	id := o.draft("USD")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"invoice", "send", id}, "sent"},
		{[]string{"invoice", "withhold", id}, "withheld"},
		{[]string{"invoice", "release", id}, "released"},
		{[]string{"invoice", "pay", id, "--amount", "1,000.50"}, "sent, 200.00 USD outstanding"},
		{[]string{"invoice", "pay", id}, "paid"},
	} {
		if got := o.must(c.args...); got != "INV-000001 "+id+" "+c.want {
			t.Errorf("%v printed %q", c.args, got)
		}
	}
	o.refused(1, "the invoice INV-000001 ("+id+") is paid and cannot become voided; that is final", "invoice", "void", id)

	second := o.draft("USD")
	sent := o.object("invoice", "send", second)
	o.sameAsAPI(sent, "/invoices/"+second, invoiceExtras...)
	if sent["status"] != "sent" || sent["due_date"] != "2026-12-31T00:00:00Z" || sent["paid_at"] != nil ||
		sent["owner_name"] != "Ada Palmer" {
		t.Errorf("send --json: %v", sent)
	}
	if got := o.object("invoice", "withhold", second); got["content_withheld"] != true {
		t.Errorf("withhold --json: %v", got)
	}
	if got := o.object("invoice", "release", second); got["content_withheld"] != false {
		t.Errorf("release --json: %v", got)
	}
	if got := o.object("invoice", "pay", second, "--amount", "0.50"); got["status"] != "sent" ||
		got["paid_cents"] != 50.0 {
		t.Errorf("pay --json: %v", got)
	}
	o.refused(1, "has 1,200.00 USD outstanding", "invoice", "pay", second, "--amount", "1200.01")
	o.sameAsAPI(o.object("invoice", "void", second), "/invoices/"+second, invoiceExtras...)
}

func TestInvoicesAreListed(t *testing.T) {
	o := newOperated(t)
	if got := o.list("invoice", "list", "--org", o.org); len(got) != 0 {
		t.Errorf("none are listed as %v", got)
	}
	first, second := o.draft("USD"), o.draft("JPY")
	o.must("invoice", "send", first)
	o.must("invoice", "withhold", first)
	table := o.must("invoice", "list", "--org", o.org)
	for _, want := range []string{
		`^NUMBER +ID +STATUS +DUE +TOTAL +OUTSTANDING +RECIPIENT`,
		`\nINV-000002 +` + second + ` +draft +2026-12-31 +120,050 JPY +0 JPY +Acme & Sons`,
		`\nINV-000001 +` + first + ` +sent, withheld +2026-12-31 +1,200.50 USD +1,200.50 USD +Acme & Sons$`,
	} {
		if !regexp.MustCompile(want).MatchString(table) {
			t.Errorf("the table has no %s:\n%s", want, table)
		}
	}
	all := o.list("invoice", "list", "--org", o.org)
	if len(all) != 2 || all[0]["id"] != second || all[0]["sent_at"] != nil {
		t.Fatalf("list --json: %v", all)
	}
	o.sameAsAPI(all[1], "/invoices/"+first, invoiceExtras...)
	if got := o.list("invoice", "list", "--org", o.org, "--status", "sent"); len(got) != 1 || got[0]["id"] != first {
		t.Errorf("those that are sent: %v", got)
	}
	r := o.run("invoice", "list", "--org", o.org, "--limit", "1", "--json")
	if r.code != 0 || strings.Count(r.stdout, `"id"`) != 1 || r.stderr != "Showing the newest 1. Use --limit for more.\n" {
		t.Errorf("a list that is cut: exit %d, %q, %q", r.code, r.stdout, r.stderr)
	}
}
