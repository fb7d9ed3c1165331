package einvoice

import (
	"context"
	"fmt"
	"testing"
)

func TestAPDFThatTakesTooLongIsNotCalledDamaged(t *testing.T) {
	err := refusal(fmt.Errorf("xref table: %w", context.DeadlineExceeded))

	if want := "is a PDF that takes longer than 20 s to read: import its lines as CSV or OFX"; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
