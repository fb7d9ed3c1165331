package screen_test

import (
	"testing"

	"tarmac/internal/testsupport/screen"
)

func TestAMarkBelongsToItsFigureRowColumnOrPanel(t *testing.T) {
	const drawn = `14.1 months ° of cash: $4.30M ÷
$303.6k a month.
$7.00 in the next sentence.
─ Cash ────────────────  ─ Owed $9.00 ° ─────────
Spendable  $1.00         Current    $4.00
Net burn   $2.00 °       1–30 days  $5.00
─ Months ─────────────────────────
Month         In    Out    Cash $M °
2026-11 °  $1.00  $2.00       3.50
2026-10    $3.00  $4.00 °     4.50`
	const want = `~14.1 months ° of cash: ~$4.30M ÷
~$303.6k a month.
$7.00 in the next sentence.
─ Cash ────────────────  ─ Owed ~$9.00 ° ─────────
Spendable  $1.00         Current    ~$4.00
Net burn   ~$2.00 °       1–30 days  ~$5.00
─ Months ─────────────────────────
Month         In    Out    Cash $M °
2026-11 °  ~$1.00  ~$2.00       ~3.50
2026-10    $3.00  ~$4.00 °     ~4.50`

	if got := screen.WithSigns(drawn); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if figures, all := screen.Marks(drawn); figures != 4 || all != 6 {
		t.Errorf("%d marks at figures of %d", figures, all)
	}
}
