package ofx_test

import (
	"flag"
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/bank"
	"tarmac/service/statements/ofx"
)

var update = flag.Bool("update", false, "write golden files anew")

func TestGoldenFiles(t *testing.T) {
	banks.Golden(t, ofx.Format(), bank.Options{}, *update)
}
