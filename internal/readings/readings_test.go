package readings_test

import (
	"strings"
	"testing"

	"tarmac/internal/readings"
)

func TestUnansweredQuestionsSayWhatOtherAnswersMean(t *testing.T) {
	for want, u := range map[string]readings.Unanswered{
		"": {},
		"2 unanswered questions: $31,400.00 of money in and 1 possible own transfer are left out. If it is income, net " +
			"burn is $12,100.00 a month and runway 41.0 months. At most, net burn is $25,000.00 a month and runway " +
			"19.8 months.": {
			Questions: 2, InMinor: 3140000, Transfers: 1, Low: readings.Reading{BurnMinor: 1210000, Tenths: 410},
			High: readings.Reading{BurnMinor: 2500000, Tenths: 198},
		},
		"1 unanswered question: $31,400.00 of money in is left out. If it is income, there is no net burn.": {
			Questions: 1, InMinor: 3140000, High: readings.Reading{BurnMinor: 2000000, Tenths: 248},
		},
		"1 unanswered question: 1 possible own transfer is left out. If it is no transfer, net burn is $100.00 a month.": {
			Questions: 1, Transfers: 1, Low: readings.Reading{BurnMinor: 10000},
		},
		"1 unanswered question: 1 possible own transfer is left out. At most, net burn is $30,000.00 a month.": {
			Questions: 1, Transfers: 1, Low: readings.Reading{BurnMinor: 2000000}, High: readings.Reading{BurnMinor: 3000000},
		},
		"1 unanswered question: $450,000.00 of money out is left out. If it is a cost, net burn is $188,000.00 a month.": {
			Questions: 1, OutMinor: 45000000, Low: readings.Reading{BurnMinor: 2000000},
			High: readings.Reading{BurnMinor: 18800000},
		},
		"2 unanswered questions: $5.00 of money in and $9.00 of money out are left out. If the money in is income, there " +
			"is no net burn. If the money out is a cost, net burn is $30,000.00 a month.": {
			Questions: 2, InMinor: 500, OutMinor: 900, High: readings.Reading{BurnMinor: 3000000},
		},
	} {
		if got := u.Sentence(2000000, "USD"); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
		if strings.Contains(want, "[") {
			t.Errorf("%q could be taken for facts", want)
		}
	}
}
