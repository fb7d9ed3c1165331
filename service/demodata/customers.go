package demodata

import "tarmac/internal/civil"

// habit says how punctually a customer pays invoices.
type habit int

const (
	prompt habit = iota // pays before the due date
	late                // pays within two weeks after the due date
	slow                // pays two to seven weeks after the due date
)

// contract holds the terms of a customer's subscription.
type contract struct {
	// The contract starts in the month from of the history and ends before the month until. It
	// does not end if until is 0.
	from, until  int
	monthlyCents int64 // initial price a month, which grows by 1 % a month
	every        int   // number of months between two bills
	terms        int   // number of days from a bill's date to its due date
	habit        habit
	currency     string
	method       string
}

var contracts = [...]contract{
	{0, 0, 9_000_00, 1, 30, prompt, "USD", "ach"},
	{0, 0, 6_500_00, 3, 45, late, "USD", "wire"},
	{0, 10, 4_000_00, 1, 30, prompt, "USD", "ach"},
	{0, 0, 3_200_00, 1, 15, slow, "USD", "check"},
	{1, 0, 5_200_00, 12, 30, prompt, "USD", "wire"},
	{2, 0, 7_800_00, 1, 30, late, "USD", "ach_debit"},
	{3, 16, 3_500_00, 1, 30, slow, "USD", "check"},
	{4, 0, 6_400_00, 3, 30, prompt, "USD", "ach"},
	{5, 0, 8_200_00, 1, 60, prompt, "USD", "ach"},
	{6, 0, 4_800_00, 12, 45, prompt, "USD", "wire"},
	{7, 19, 5_600_00, 1, 30, late, "USD", "ach"},
	{8, 0, 9_500_00, 1, 30, prompt, "USD", "ach_debit"},
	{9, 0, 7_200_00, 3, 30, late, "USD", "ach"},
	{10, 0, 5_100_00, 1, 30, prompt, "EUR", "sepa"},
	{11, 0, 11_000_00, 1, 45, late, "USD", "wire"},
	{12, 0, 6_800_00, 12, 30, prompt, "USD", "ach"},
	{13, 19, 6_200_00, 1, 30, slow, "USD", "ach"},
	{14, 21, 9_800_00, 1, 30, prompt, "USD", "ach_debit"},
	{15, 0, 7_400_00, 3, 60, prompt, "USD", "wire"},
	{16, 0, 12_500_00, 1, 30, late, "USD", "ach"},
	{17, 0, 5_900_00, 1, 15, prompt, "USD", "ach"},
	{18, 0, 8_800_00, 1, 30, slow, "USD", "ach"},
	{19, 0, 14_000_00, 1, 45, prompt, "USD", "wire"},
	{20, 0, 6_700_00, 3, 30, prompt, "USD", "ach"},
	{21, 0, 9_300_00, 1, 30, late, "USD", "ach"},
	{22, 0, 7_600_00, 1, 30, prompt, "USD", "ach"},
}

// customer is a company with a contract.
type customer struct {
	company
	contract
}

func (c company) email() string { return "billing@" + c.slug + ".example" }

// customers gives each contract to a random company and varies its price a little.
func (p *plan) customers() []customer {
	order := p.rng.Perm(len(customerNames))
	all := make([]customer, len(contracts))
	for i, k := range contracts {
		k.monthlyCents = p.vary(k.monthlyCents, 6) / 100 * 100
		all[i] = customer{customerNames[order[i]], k}
	}
	return all
}

// price returns the customer's price for one month, in cents rounded down to whole dollars. month
// counts from the start of the history.
func (c *customer) price(month int) int64 {
	return c.monthlyCents * int64(100+month-c.from) / 100 / 100 * 100
}

// billedIn reports whether the customer is billed in a month, which counts from the start of the
// history.
func (c *customer) billedIn(month int) bool {
	if month < c.from || (c.until > 0 && month >= c.until) {
		return false
	}
	return (month-c.from)%c.every == 0
}

// paymentDay returns the day on which a customer with habit h pays a bill that is due on the day
// due.
func (p *plan) paymentDay(h habit, due civil.Date) civil.Date {
	switch h {
	case late:
		return Workday(due.AddDays(2 + p.rng.IntN(11)))
	case slow:
		return Workday(due.AddDays(15 + p.rng.IntN(31)))
	}
	return Workday(due.AddDays(-p.rng.IntN(9)))
}
