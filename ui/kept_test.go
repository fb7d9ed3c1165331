package ui

import (
	"testing"

	tea "charm.land/bubbletea/v2"

	"tarmac/client/state"
)

// reopened returns a dashboard that begins with what the folder keeps.
func reopened(t *testing.T, folder state.Folder, change func(*Options)) *dashboard {
	d := open(t, linked())
	o := d.options
	o.Keeps, o.Kept = folder, state.ReadKept(folder)
	if change != nil {
		change(&o)
	}
	c := d.session.connection
	d.Model = New(t.Context(), o)
	d.Update(tea.WindowSizeMsg{Width: 120, Height: 40})
	d.drain(d.begin(c))
	return d
}

func TestThemeMouseMaskPartAndOrderAreKept(t *testing.T) {
	folder := state.Directory(t.TempDir())
	d := reopened(t, folder, nil)
	d.press("?", "t", "h", "e", "m", "e", " ", "l", "i", "g", "h", "t", "enter")
	d.press(":", "m", "o", "u", "s", "e", "enter", "*", "8", "]", "6", "o")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}

	d = reopened(t, folder, nil)
	if !d.options.Mouse || !d.theme.Masked || d.theme.Name != "light" {
		t.Errorf("mouse %t, masked %t, theme %s", d.options.Mouse, d.theme.Masked, d.theme.Name)
	}
	d.press("8")
	part := d.session.pages[d.session.active].screen.State().Kept.Shown
	d.press("6")
	order := d.session.pages[d.session.active].screen.State().Kept.Shown
	if part.Part != "recurring" || order.Order == "" {
		t.Errorf("Spend shows %+v, Events %+v", part, order)
	}

	d = reopened(t, folder, func(o *Options) { o.Theme, o.ThemeSet, o.MouseSet = "dark", true, true })
	if d.options.Mouse || d.theme.Name != "dark" {
		t.Errorf("the settings file does not win: mouse %t, theme %s", d.options.Mouse, d.theme.Name)
	}
	d.press("T")
	d.shows("then the settings file's again")
}

func TestNothingIsKeptOverSSH(t *testing.T) {
	folder := state.Directory(t.TempDir())
	d := reopened(t, folder, func(o *Options) { o.Remote = true })
	d.press("*", "T")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if names, err := folder.List(""); err != nil || len(names) > 0 {
		t.Errorf("there are %v, %v", names, err)
	}
}

func TestWhatCannotBeReadIsNotKept(t *testing.T) {
	folder := state.Directory(t.TempDir())
	for _, content := range []string{
		"", "{", `{"theme": 5}`, `{"theme":"no such","pages":{"spend":{"part":"x","order":"y"}}}`,
	} {
		if err := folder.Write("dashboard.json", []byte(content)); err != nil {
			t.Fatal(err)
		}
		d := reopened(t, folder, nil)
		d.press("8")
		d.shows("Spend")
		if d.theme.Name == "no such" {
			t.Error("a theme that does not exist is used")
		}
	}
}
