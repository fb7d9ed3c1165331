package timeline_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/client/record"
	"tarmac/views/parts/table"
	"tarmac/views/parts/timeline"
)

var now = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func at(day, hour, minute int) *time.Time {
	t := time.Date(2026, 11, day, hour, minute, 0, 0, time.UTC)
	return &t
}

func TestStepsStandInOrderWithTheirDistance(t *testing.T) {
	steps := timeline.Of(record.Object{
		record.Time("paid_at", "Paid", at(18, 9, 0)), record.Time("created_at", "Created", at(1, 9, 0)),
		record.Time("checked_at", "Checked", at(1, 9, 0)), record.Time("sent_at", "Sent", at(1, 9, 25)),
		record.Time("seen_at", "Seen", at(1, 12, 25)),
		record.Time("voided_at", "Voided", nil), record.Text("id", "Id", "inv_1"),
	}, func(record.Field) table.Ink { return table.Ink{} })
	steps = append(steps,
		timeline.Step{At: *at(18, 0, 0), Day: true, What: "due"},
		timeline.Step{At: *at(21, 0, 0), Day: true, What: "gone"},
		timeline.Step{At: *at(25, 0, 0), Day: true, What: "shut"})
	want := [][2]string{
		{"2026-11-01 09:00", "● created"}, {"2026-11-01 09:00", "● checked, immediately"},
		{"2026-11-01 09:25", "● sent, 25 minutes later"}, {"2026-11-01 12:25", "● seen, 3 hours later"},
		{"2026-11-18", "● due, 17 days later"}, {"2026-11-18 09:00", "● paid, same day"},
		{"2026-11-21", "○ gone, tomorrow"}, {"2026-11-25", "○ shut, in 5 days"},
	}
	got := timeline.Fields(steps, now)
	if len(got) != len(want) {
		t.Fatalf("%d steps, want %d: %v", len(got), len(want), got)
	}
	for i, w := range want {
		if got[i].Label != w[0] || got[i].Text != w[1] {
			t.Errorf("step %d is %q %q, want %q", i, got[i].Label, got[i].Text, w)
		}
	}
	if steps[0].What != "paid" {
		t.Error("the steps given were reordered")
	}
}

// A step that is due today does not count as future at any hour.
func TestADayOfTodayIsNotAhead(t *testing.T) {
	step := timeline.Step{At: *at(20, 0, 0), Day: true, What: "due"}
	if got := timeline.Fields([]timeline.Step{step}, now)[0].Text; got != "● due" {
		t.Errorf("got %q", got)
	}
}

// For any times, each step is listed once and in order.
func TestNoStepIsLostOrOutOfOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var steps []timeline.Step
		for range rapid.IntRange(0, 8).Draw(t, "steps") {
			steps = append(steps, timeline.Step{At: time.Unix(rapid.Int64Range(-6e10, 2.5e11).Draw(t, "at"), 0), What: "x"})
		}
		fields := timeline.Fields(steps, now)
		if len(fields) != len(steps) {
			t.Fatalf("%d of %d steps", len(fields), len(steps))
		}
		for i := 1; i < len(fields); i++ {
			if fields[i].Label < fields[i-1].Label {
				t.Fatalf("%q stands after %q", fields[i].Label, fields[i-1].Label)
			}
		}
	})
}
