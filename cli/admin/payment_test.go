package admin_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// A payment whose outcome is not known is created again with its key, and there is one.
func TestAPaymentWithAKeyIsMadeOnce(t *testing.T) {
	o := newOperated(t)
	create := []string{"payment", "create", "--org", o.org, "--amount", "10", "--description", "d", "--counterparty", "c"}
	id := o.must(append(create, "--key", "monday 1")...)
	if again := o.must(append(create, "--key", "monday 1")...); again != id {
		t.Errorf("the same command made %s and then %s", id, again)
	}
	o.must("payment", "cancel", id)
	if again := o.object(append(create, "--key", "monday 1")...); again["id"] != id || again["status"] != "canceled" {
		t.Errorf("after a change it shows %v", again)
	}
	o.refused(1, "this key was used for another payment; choose another one",
		append(create, "--key", "monday 1", "--amount", "11")...)
	for _, other := range [][]string{append(create, "--key", "monday 2"), create, create} {
		if got := o.must(other...); got == id {
			t.Errorf("%q made no payment", other)
		}
	}
	if all := strings.Count(o.must("payment", "list", "--org", o.org), "pi_"); all != 4 {
		t.Errorf("there are %d payments, want 4", all)
	}
}

func TestOperatorLeadsAPaymentThroughItsLife(t *testing.T) {
	o := newOperated(t)
	create := []string{"payment", "create", "--org", o.org, "--amount", "1,250.5", "--description", "Contractor",
		"--counterparty", "Acme LLC"}
	id := o.must(create...)
	if !regexp.MustCompile(`^pi_[0-9A-Z]{26}$`).MatchString(id) {
		t.Fatalf("payment create printed %q, not an id alone", id)
	}
	for _, move := range [][2]string{{"hold", "held"}, {"approve", "processing"}, {"complete", "completed"}} {
		if got := o.must("payment", move[0], id); got != id+" "+move[1] {
			t.Errorf("%s printed %q", move[0], got)
		}
	}
	o.refused(1, "the payment "+id+" is completed and cannot become canceled; that is final", "payment", "cancel", id)

	held := o.object(append(create, "--currency", "JPY", "--amount", "1,500", "--direction", "inflow", "--hold",
		"step_up_required")...)
	second := held["id"].(string)
	o.sameAsAPI(held, "/payment-intents/"+second)
	if held["status"] != "held" || held["status_reason"] != "step_up_required" || held["amount_cents"] != 1500.0 ||
		held["direction"] != "inflow" {
		t.Errorf("create --json: %v", held)
	}
	if got := o.object("payment", "approve", second); got["status"] != "processing" || got["status_reason"] != nil {
		t.Errorf("approve --json: %v", got)
	}
	if got := o.object("payment", "hold", second, "--reason",
		"step_up_required"); got["status_reason"] != "step_up_required" {
		t.Errorf("hold --json: %v", got)
	}
	o.must("payment", "approve", second)
	failed := o.object("payment", "fail", second, "--reason", "the receiving bank refused it")
	o.sameAsAPI(failed, "/payment-intents/"+second)
	if failed["status_reason"] != "the receiving bank refused it" {
		t.Errorf("fail --json: %v", failed)
	}
	third := o.must(append(create, "--hold", "awaiting_approval")...)
	if got := o.object("payment", "cancel", third); got["status"] != "canceled" || got["canceled_at"] == nil {
		t.Errorf("cancel --json: %v", got)
	}

	table := o.must("payment", "list", "--org", o.org)
	for _, want := range []string{
		`^ID +STATUS +DIRECTION +AMOUNT +COUNTERPARTY +DESCRIPTION +REASON +UPDATED\n` + third,
		`\n` + second + ` +failed +inflow +1,500 JPY +Acme LLC +Contractor +the receiving bank refused it +2`,
		`\n` + id + ` +completed +outflow +1,250.50 USD +Acme LLC +Contractor +- +2`,
	} {
		if !regexp.MustCompile(want).MatchString(table) {
			t.Errorf("the table has no %s:\n%s", want, table)
		}
	}
	if all := o.list("payment", "list", "--org", o.org); len(all) != 3 || !reflect.DeepEqual(all[1], failed) {
		t.Errorf("list --json: %v", all)
	}
}
