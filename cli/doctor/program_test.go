package doctor_test

import (
	"testing"

	"tarmac/internal/testsupport/testprogram"
)

func TestMain(m *testing.M) { testprogram.Main(m) }
