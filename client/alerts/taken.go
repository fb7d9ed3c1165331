package alerts

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"

	"tarmac/internal/privatefile"
)

// takenNote says that a channel has taken a message. It is appended to a file beside the state as
// soon as the channel has answered, which takes a fraction of the time that a new state takes. So a
// message comes twice only if the program is killed between the two.
type takenNote struct {
	ID      string `json:"id"`
	Channel string `json:"channel"`
}

// notesPath returns the path of the notes of a state.
func notesPath(state string) string { return state + ".taken" }

// prepareNote returns what notes that a channel has taken letters. It is made before they are sent,
// so that the note is a single write. Without a note, only the next state says so.
func (s *State) prepareNote(channel string, letters []*Letter) (write, done func()) {
	nothing := func() {}
	if s.path == "" {
		return nothing, nothing
	}
	var lines bytes.Buffer
	for _, l := range letters {
		content, err := json.Marshal(takenNote{l.ID, channel})
		if err != nil {
			return nothing, nothing
		}
		lines.Write(append(content, '\n'))
	}
	f, err := privatefile.Append(notesPath(s.path))
	if err != nil {
		return nothing, nothing
	}
	return func() { _, _ = f.Write(lines.Bytes()) }, func() { _ = f.Close() }
}

// applyNotes removes the letters from the outbox that channels have taken after the state was
// written.
func (s *State) applyNotes() error {
	content, err := privatefile.Read(notesPath(s.path), maxState)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for line := range bytes.Lines(content) {
		var note takenNote
		if json.Unmarshal(line, &note) != nil {
			continue // its end was not written
		}
		for _, l := range s.lettersFor(note.Channel) {
			if l.ID == note.ID {
				s.taken(note.Channel, []*Letter{l})
			}
		}
	}
	return nil
}

// removeNotes removes the notes, which are in the state that was written.
func (s *State) removeNotes() error {
	if err := os.Remove(notesPath(s.path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
