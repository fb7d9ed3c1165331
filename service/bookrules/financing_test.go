package bookrules_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"tarmac/internal/civil"
	"tarmac/service/bookrules"
	"tarmac/service/ledger"
)

// earned returns a row of money in, and spent one of money out, in US dollars.
func earned(date, payer string, dollars int64) ledger.Transaction {
	return ledger.Transaction{
		ID: fmt.Sprint("txn_", date, payer), Date: civil.MustParse(date), Direction: ledger.Inflow, AmountKnown: true,
		AmountMinor: dollars * 100, ReportingMinor: dollars * 100, ReportingKnown: true, Currency: "USD", Counterparty: payer,
	}
}

// lent returns a row of money in whose text speaks of a loan.
func lent(date string, dollars int64) ledger.Transaction {
	row := earned(date, "Trellis", dollars)
	row.Memo = "TRELLIS CREDIT FACILITY DRAW"
	return row
}

func spent(date string, dollars int64) ledger.Transaction {
	row := earned(date, "Gusto", dollars)
	row.Direction = ledger.Outflow
	return row
}

// unnamed returns a row of money in from a payer without a name.
func unnamed(date string, dollars int64) ledger.Transaction {
	row := earned(date, ledger.UnknownCounterparty, dollars)
	row.ID += fmt.Sprint(dollars)
	return row
}

func questionsAbout(t *testing.T, rows ...ledger.Transaction) []bookrules.FinancingQuestion {
	t.Helper()
	return financingOf(t, nil, rows...).Questions
}

func financingOf(t *testing.T, answers []bookrules.FinancingAnswer, rows ...ledger.Transaction) bookrules.Financing {
	t.Helper()
	found, err := bookrules.FindFinancing(slices.Values(rows), nil, itself, answers)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// burn returns the net burn of three months in dollars.
func burn(rows []ledger.Transaction) int64 {
	var net int64
	for _, row := range rows {
		switch {
		case !row.Operating():
		case row.Direction == ledger.Inflow:
			net += row.ReportingMinor
		default:
			net -= row.ReportingMinor
		}
	}
	return -net / 300
}

// itself identifies rows by their ids.
func itself(id string) string { return id }

// If four SAFEs of 25,000 counted as income, burn would seem to be a fifth of its real amount.
func TestInvestmentsDoNotHideBurn(t *testing.T) {
	rows := []ledger.Transaction{
		spent("2026-08-31", 41_500), spent("2026-09-30", 41_500), spent("2026-10-31", 41_500),
		earned("2026-09-03", "Ada Ventures", 25_000), earned("2026-09-04", "Blue Capital", 25_000),
		earned("2026-09-10", "Jo Angel", 25_000), earned("2026-10-02", "Max Angel", 25_000),
	}
	if apparent := burn(rows); apparent != 8166 {
		t.Errorf("burn looks like %d", apparent)
	}

	for _, q := range questionsAbout(t, rows...) {
		for i := range rows {
			if slices.Contains(q.Rows, rows[i].ID) {
				rows[i].Category = ledger.CategoryFinancing
			}
		}
	}

	if got := burn(rows); got != 41_500 {
		t.Errorf("burn is %d", got)
	}
}

func TestWhatIsAskedAbout(t *testing.T) {
	costs := []ledger.Transaction{spent("2026-08-31", 10_000), spent("2026-09-30", 10_000), spent("2026-10-31", 10_000)}
	row := earned("2026-10-05", "Jo", 5000)
	invoiced, ruled, unrated, foreign := row, row, row, row
	invoiced.HasReceipt = true
	ruled.Category = "sales"
	unrated.ReportingKnown, unrated.ReportingMinor = false, 0
	foreign.Category = ledger.CategoryInternalTransfer
	tranche := earned("2026-09-05", "Jo", 5000)
	tranche.Category = ledger.CategoryFinancing
	for name, test := range map[string]struct {
		rows []ledger.Transaction
		want []string
	}{
		"one payment":              {[]ledger.Transaction{row}, []string{"Jo 5000"}},
		"above a tenth":            {[]ledger.Transaction{earned("2026-10-05", "Jo", 1001)}, []string{"Jo 1001"}},
		"a tenth":                  {[]ledger.Transaction{earned("2026-10-05", "Jo", 1000)}, nil},
		"a customer of two months": {[]ledger.Transaction{row, earned("2026-09-05", "JO", 1)}, nil},
		"a large second tranche": {
			[]ledger.Transaction{earned("2026-09-05", "Jo", 10_001), earned("2026-10-05", "Jo", 10_000)}, []string{"Jo 10001"},
		},
		"a large payment after three months": {
			[]ledger.Transaction{
				earned("2026-07-05", "Jo", 1), earned("2026-08-05", "Jo", 1), earned("2026-09-05", "Jo", 1),
				earned("2026-10-05", "Jo", 90_000),
			}, []string{"Jo 90000"},
		},
		"a regular customer": {
			[]ledger.Transaction{
				earned("2026-07-05", "Jo", 9000), earned("2026-08-05", "Jo", 9000), earned("2026-09-05", "Jo", 9000),
				earned("2026-10-05", "Jo", 9000),
			}, nil,
		},
		"a regular customer who pays more than is spent": {
			[]ledger.Transaction{
				earned("2026-07-05", "Jo", 90_000), earned("2026-08-05", "Jo", 90_000), earned("2026-09-05", "Jo", 95_000),
				earned("2026-10-05", "Jo", 90_000),
			}, nil,
		},
		"a lender's regular draws": {
			[]ledger.Transaction{
				lent("2026-07-05", 900), lent("2026-08-05", 900), lent("2026-09-05", 900), lent("2026-10-05", 900),
			}, []string{"Trellis 3600"},
		},
		"a name that goes on differently": {
			[]ledger.Transaction{earned("2026-10-05", "Ada Ventures II", 4000), earned("2026-10-06", "ADA VENTURES LP", 2000)},
			[]string{"ADA VENTURES LP 6000"},
		},
		"names with one word in common": {
			[]ledger.Transaction{earned("2026-10-05", "Ada Ventures", 4000), earned("2026-10-06", "Ada Capital", 2000)},
			[]string{"Ada Ventures 4000", "Ada Capital 2000"},
		},
		"an initial": {
			[]ledger.Transaction{earned("2026-10-05", "T. Alvarado", 4000), earned("2026-10-06", "T. Bloom", 2000)},
			[]string{"T. Alvarado 4000", "T. Bloom 2000"},
		},
		"two payments of a month": {[]ledger.Transaction{row, earned("2026-10-06", "jo.", 6000)}, []string{"jo. 11000"}},
		"one of two is small":     {[]ledger.Transaction{row, earned("2026-10-06", "Jo", 10)}, []string{"Jo 5000"}},
		"paid an invoice":         {[]ledger.Transaction{invoiced}, nil},
		"a rule explains it":      {[]ledger.Transaction{ruled}, nil},
		"no rate":                 {[]ledger.Transaction{unrated}, nil},
		"a second tranche":        {[]ledger.Transaction{tranche, row}, []string{"Jo 5000"}},
		"a transfer":              {[]ledger.Transaction{foreign}, nil},
		"payments without a name are asked about by size": {
			[]ledger.Transaction{
				unnamed("2026-07-05", 25_000), unnamed("2026-08-05", 26_000), unnamed("2026-09-05", 27_000),
				unnamed("2026-09-06", 5000), unnamed("2026-10-05", 28_000), unnamed("2026-10-06", 500),
			}, []string{"(unknown) 106000", "(unknown) 5000"},
		},
		"before there are costs": {[]ledger.Transaction{earned("2026-05-05", "Jo", 1)}, []string{"Jo 1"}},
	} {
		var got []string
		for _, q := range questionsAbout(t, slices.Concat(costs, test.rows)...) {
			got = append(got, fmt.Sprint(q.Payer, " ", q.Minor/100))
		}

		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// answered returns the result of answering the questions about rows.
func answered(t *testing.T, yes bool, answers []bookrules.FinancingAnswer, rows ...ledger.Transaction,
) []bookrules.FinancingAnswer {
	t.Helper()
	for _, q := range financingOf(t, answers, rows...).Questions {
		answers = append(answers, bookrules.FinancingAnswer{
			PayerKey: q.PayerKey, Yes: yes, LargestMinor: q.LargestMinor, Regular: q.Regular,
		})
	}
	return answers
}

func TestAnAnswerAboutAPayerHoldsUpToThreeTimesTheLargestPayment(t *testing.T) {
	costs := []ledger.Transaction{spent("2026-08-31", 10_000), spent("2026-09-30", 10_000), spent("2026-10-31", 10_000)}
	first := earned("2026-09-05", "Jo Angel", 25_000)
	for _, yes := range []bool{true, false} {
		answers := answered(t, yes, nil, slices.Concat(costs, []ledger.Transaction{first})...)
		for dollars, asked := range map[int64]bool{1: false, 25_000: false, 75_000: false, 75_001: true} {
			later := earned("2026-10-06", "Jo Angel", dollars)

			found := financingOf(t, answers, slices.Concat(costs, []ledger.Transaction{first, later})...)

			if len(found.Questions) > 0 != asked || found.Rows[later.ID] != (yes || asked) || found.Rows[first.ID] != yes {
				t.Errorf("%t, %d: %+v", yes, dollars, found)
			}
			if asked && (found.Questions[0].Earlier.LargestMinor != 25_000_00 || found.Questions[0].Minor != dollars*100) {
				t.Errorf("%t, %d: it asks %+v", yes, dollars, found.Questions[0])
			}
		}
	}
}

// A legal form tells two companies of a group apart that share a name of one word: an answer about
// one of them must not hold for the other.
func TestPayersAreKnownByTwoWords(t *testing.T) {
	for names, same := range map[[2]string]bool{
		{"Shenlan Motion", "SHENLAN MOTION CO"}:            true,
		{"Shenlan Motion Co", "Shenlan Motion Co Ltd 42"}:  true,
		{"Shenlan Motion", "Shenlan Marine"}:               false,
		{"Acme Inc", "Acme GmbH"}:                          false,
		{"A Shenlan Motion Fund", "A Shenlan Motion Bank"}: true,
	} {
		if one, other := bookrules.PayerKeyOf(names[0]), bookrules.PayerKeyOf(names[1]); (one == other) != same {
			t.Errorf("%q has the key %q, and %q has %q", names[0], one, names[1], other)
		}
	}
}

// Whoever pays without a name, an answer about a payment holds for others of its size alone.
func TestAnAnswerAboutAPaymentWithoutANameHoldsForItsSize(t *testing.T) {
	rows := []ledger.Transaction{spent("2026-09-30", 10_000), unnamed("2026-09-05", 100_000)}
	answers := answered(t, true, nil, rows...)
	like, smaller, larger := unnamed("2026-10-05", 110_000), unnamed("2026-10-05", 20_000), unnamed("2026-10-05", 400_000)

	found := financingOf(t, answers, append(rows, like, smaller, larger)...)

	if !found.Rows[like.ID] || len(found.Questions) != 2 || found.Questions[0].Minor != 20_000_00 ||
		found.Questions[1].Minor != 400_000_00 {
		t.Errorf("%+v", found)
	}
}

// Earlier versions asked about each payment of a payer whose name has no letters.
func TestAnAnswerAboutOnePaymentWithoutANameHoldsForItAlone(t *testing.T) {
	one, number := unnamed("2026-09-05", 100_000), earned("2026-09-06", "880412360", 50_000)
	like := unnamed("2026-10-05", 110_000)
	answers := []bookrules.FinancingAnswer{
		{PayerKey: one.ID, Yes: true, LargestMinor: 100_000_00}, {PayerKey: number.ID, LargestMinor: 50_000_00},
	}

	found := financingOf(t, answers, spent("2026-09-30", 10_000), one, number, like)

	if len(found.Questions) != 1 || found.Questions[0].Minor != 110_000_00 ||
		!found.Rows[one.ID] || found.Rows[number.ID] {
		t.Errorf("%+v", found)
	}
}

func TestAnAnswerAboutLargerPaymentsLeavesTheOneAboutSmallerOnes(t *testing.T) {
	rows := []ledger.Transaction{spent("2026-09-30", 10_000), earned("2026-09-05", "Jo Angel", 20_000)}
	answers := answered(t, true, nil, rows...)
	rows = append(rows, earned("2026-10-05", "Jo Angel", 200_000))

	answers = answered(t, false, answers, rows...)

	found := financingOf(t, answers, rows...)
	if len(found.Questions) > 0 || !found.Rows[rows[1].ID] || found.Rows[rows[2].ID] {
		t.Errorf("%+v", found)
	}
}

// Earlier versions asked about the payments of a month.
func TestAnAnswerAboutAMonthHoldsForItAndForPaymentsLikeIt(t *testing.T) {
	answer := bookrules.FinancingAnswer{PayerKey: "JO ANGEL", Yes: true, Month: civil.MustParse("2026-09-01")}
	rows := []ledger.Transaction{
		spent("2026-09-30", 1000), earned("2026-09-05", "Jo Angel", 20_000), earned("2026-10-05", "Jo Angel", 60_000),
		earned("2026-10-06", "Jo Angel", 60_001),
	}

	found := financingOf(t, []bookrules.FinancingAnswer{answer}, rows...)

	if len(found.Questions) != 1 || found.Questions[0].Minor != 60_001_00 || len(found.Rows) != 3 {
		t.Errorf("%+v", found)
	}
}

func TestAPayerOfFinancingThatBecomesRegularIsAskedAboutAgain(t *testing.T) {
	rows := []ledger.Transaction{spent("2026-05-31", 10_000), earned("2026-05-05", "Jo Angel", 100_000)}
	loan := rows[1].ID
	answers := answered(t, true, nil, rows...)
	for _, month := range []string{"06", "07", "08"} {
		rows = append(rows, spent("2026-"+month+"-28", 10_000), earned("2026-"+month+"-05", "Jo Angel", 9000))
	}
	before := financingOf(t, answers, rows...)
	rows = append(rows, earned("2026-09-05", "Jo Angel", 9000))

	found := financingOf(t, answers, rows...)
	answers = answered(t, false, answers, rows...)
	after := financingOf(t, answers, rows...)

	if len(before.Questions) != 1 || len(found.Questions) != 1 || found.Questions[0].Minor != 36_000_00 {
		t.Errorf("it asks %+v, then %+v", before.Questions, found.Questions)
	}
	if len(after.Questions) != 0 || len(after.Rows) != 1 || !after.Rows[loan] {
		t.Errorf("after the answer: %+v", after)
	}
}

// Which of two payments is answered first makes no difference to others.
func TestAnswersAndPaymentsCommute(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		costs := []ledger.Transaction{spent("2026-08-31", 10_000), spent("2026-10-31", 10_000)}
		var rows []ledger.Transaction
		for n := range rapid.IntRange(1, 5).Draw(t, "payments") {
			dollars := rapid.SampledFrom([]int64{10, 5000, 40_000}).Draw(t, "dollars")
			row := earned(fmt.Sprintf("2026-%02d-05", 6+n), "Jo Angel", dollars)
			rows = append(rows, row)
		}
		answers := []bookrules.FinancingAnswer{
			{PayerKey: "JO ANGEL", Yes: rapid.Bool().Draw(t, "yes"), LargestMinor: 5000_00},
			{PayerKey: "JO ANGEL", Yes: rapid.Bool().Draw(t, "yes"), LargestMinor: 40_000_00},
		}
		find := func(answers []bookrules.FinancingAnswer, rows []ledger.Transaction) string {
			found, err := bookrules.FindFinancing(slices.Values(slices.Concat(costs, rows)), nil, itself, answers)
			if err != nil {
				t.Fatal(err)
			}
			return fmt.Sprintf("%+v", found)
		}
		want := find(answers, rows)
		slices.Reverse(answers)

		got := find(answers, rapid.Permutation(rows).Draw(t, "order"))

		if got != want {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

func TestSumsOfFinancingThatOverflowAreAnError(t *testing.T) {
	huge := earned("2026-10-05", "Jo", 1)
	huge.ReportingMinor = math.MaxInt64

	_, err := bookrules.FindFinancing(slices.Values([]ledger.Transaction{huge, huge}), nil, itself, nil)

	if !errors.Is(err, bookrules.ErrOverflow) {
		t.Errorf("error is %v", err)
	}
}

// A lender is paid back; a tax office that refunds is paid much more than it pays.
func TestAPayerWhoIsPaidBackMayBeALender(t *testing.T) {
	rows := []ledger.Transaction{spent("2026-08-31", 10_000)}
	for _, month := range []string{"06", "07", "08", "09", "10"} {
		rows = append(rows, spent("2026-"+month+"-28", 10_000), earned("2026-"+month+"-05", "Jo Angel", 1000))
	}
	for paid, asked := range map[int64]int{0: 0, 1499_00: 0, 1500_00: 1, 6000_00: 1, 50_000_00: 0} {
		found, err := bookrules.FindFinancing(slices.Values(rows), map[string]int64{"JO ANGEL": paid}, itself, nil)

		if err != nil || len(found.Questions) != asked {
			t.Errorf("%d: %+v, %v", paid, found.Questions, err)
		}
	}
}

func TestWordsOfLoansAndInvestments(t *testing.T) {
	for text, want := range map[string]bool{
		"TRELLIS CREDIT FACILITY DRAW 4": true, "Naam: J. de Wit Omschrijving: lening DGA": true,
		"Gesellschafterdarlehen":       true,
		"FIRST LIGHT VENTURES LP SAFE": true, "Line of credit advance": true, "SAFE HARBOR HOTELS": false,
		"Blue Capital Partners": false, "INCOMING CREDIT": false, "KREDITKARTE": false, "Seaview Ventures INV 104": false,
	} {
		row := earned("2026-10-05", "Somebody", 10)
		row.Memo = text

		questions := questionsAbout(t, spent("2026-10-31", 10_000), row)

		if (len(questions) > 0) != want {
			t.Errorf("%s: %+v", text, questions)
		}
	}
}
