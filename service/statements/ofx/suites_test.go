package ofx_test

import (
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/ofx"
)

func TestFilesOfRealBanksAreReadAsOthersReadThem(t *testing.T) {
	banks.Suites(t, ofx.Format(), "ofx", nil, nil)
}
