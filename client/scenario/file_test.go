package scenario_test

import (
	"os"
	"path/filepath"
	"testing"

	"tarmac/client/scenario"
	"tarmac/client/state"
	"tarmac/internal/civil"
)

func TestScenariosAreKeptAndRemoved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	file := scenario.NewFile(state.Directory(dir), "org_1")
	var set scenario.Set
	set.Put(1, scenario.Scenario{Name: "Raise",
		Changes: scenario.Changes{Currency: "USD", Once: 500_000_50, OnceIn: civil.New(2026, 11, 1)}})

	if err := file.Save(1, set, today.AddDays(40)); err != nil {
		t.Fatal(err)
	}
	again, err := scenario.NewFile(state.Directory(dir), "org_1").Load()
	if err != nil || again.Selected != 1 || again.Count() != 1 || *again.Slots[1] != *set.Slots[1] {
		t.Fatalf("%+v, %v", again, err)
	}

	if err := file.Save(2, scenario.Set{}, today); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("there is %v, %v", left, err)
	}
}

func TestAWriteThatComesLateDoesNothing(t *testing.T) {
	file := scenario.NewFile(state.Directory(t.TempDir()), "org_1")
	var set scenario.Set
	set.Put(0, scenario.Scenario{Name: "Cut", Changes: scenario.Changes{BurnPercent: -10}})

	if err := file.Save(2, scenario.Set{}, today); err != nil {
		t.Fatal(err)
	}
	if err := file.Save(1, set, today); err != nil {
		t.Fatal(err)
	}
	if again, err := file.Load(); err != nil || again.Count() != 0 {
		t.Errorf("%+v, %v", again, err)
	}
}
