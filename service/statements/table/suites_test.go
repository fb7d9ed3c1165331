package table_test

import (
	"testing"

	"tarmac/internal/testsupport/banks"
	"tarmac/service/statements/table"
)

// onPurpose lists the files that tarmac deliberately reads differently from other programs.
var onPurpose = map[string]string{
	"windows-1252-euro.csv": "one sign only: purchases of a card may be positive",
}

func TestFilesOfRealBanksAreReadAsOthersReadThem(t *testing.T) {
	banks.Suites(t, table.Format(), "csv", onPurpose, nil)
}
