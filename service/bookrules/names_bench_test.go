package bookrules_test

import (
	"fmt"
	"testing"

	"tarmac/service/bookrules"
	"tarmac/service/statements/bank"
)

// BenchmarkName reads names from texts that end in a number each.
func BenchmarkName(b *testing.B) {
	for n := 0; b.Loop(); n++ {
		bookrules.Name(bank.Line{Description: fmt.Sprintf("Vendor %d Ltd A %d", n%300, n%100_000), Minor: -1})
	}
}
