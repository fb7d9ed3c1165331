package alerts

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"tarmac/internal/privatefile"
)

// State is what is remembered between rounds: what was told, and the messages that a channel has
// not taken yet. It is written before a message is sent and again after. A message may therefore
// be sent twice after a crash, with the same ID, but is never lost.
type State struct {
	Version     int                 `json:"version"`
	Round       time.Time           `json:"round"` // the last round that read everything
	Unreachable time.Time           `json:"unreachable,omitzero"`
	Alerts      map[string]*Watched `json:"alerts"` // by Alert.Key
	Outbox      []*Letter           `json:"outbox"` // the oldest first
	Digest      time.Time           `json:"digest,omitzero"`
	// Refused says why a channel has not taken a message for a day, by the channel's name.
	Refused map[string]string `json:"refused,omitempty"`

	path string // of its file; "" if there is none yet
}

// Watched is what is remembered of an alert.
type Watched struct {
	Since        time.Time            `json:"since"`
	Words        string               `json:"words"`           // state in words at the last round
	Looked       time.Time            `json:"looked,omitzero"` // when its figures were known last
	Told         map[string]time.Time `json:"told"`            // when each subject was told, or was first there
	Last         time.Time            `json:"last,omitzero"`   // when anything was told last
	UnknownSince time.Time            `json:"unknown_since,omitzero"`
	UnknownTold  bool                 `json:"unknown_told,omitempty"`
}

// Letter is a message on its way.
type Letter struct {
	Message
	Channels map[string]*Delivery `json:"channels"` // channels that have not taken it, by name
}

// Delivery is the state of a letter with a channel.
type Delivery struct {
	Attempts int       `json:"attempts"`
	Next     time.Time `json:"next,omitzero"` // before this time it is not tried again
	Problem  string    `json:"problem,omitempty"`
}

// Message is what a person is told.
type Message struct {
	ID       string    `json:"id"` // the same each time it is sent
	At       time.Time `json:"at"`
	Company  string    `json:"company"`
	Title    string    `json:"title"`
	Findings []Finding `json:"findings"`
	Note     string    `json:"note,omitempty"` // such as how long nobody has looked
	// Text is a whole text, such as a digest, in place of Findings. Page is the same as HTML, and
	// Masked the same without amounts.
	Text   string `json:"text,omitempty"`
	Page   string `json:"page,omitempty"`
	Masked string `json:"masked,omitempty"`
}

const (
	version  = 1
	maxState = 16 << 20
)

// Load reads a state. A file that is missing is an empty state.
func Load(path string) (*State, error) {
	s := &State{Version: version, path: path}
	content, err := privatefile.Read(path, maxState)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if err := json.Unmarshal(content, s); err != nil || s.Version != version {
			return nil, fmt.Errorf("%s cannot be read: move it away, and alerts begin anew", path)
		}
	}
	if s.Alerts == nil {
		s.Alerts = map[string]*Watched{}
	}
	if s.Refused == nil {
		s.Refused = map[string]string{}
	}
	return s, s.applyNotes()
}

// Save writes the state.
func (s *State) Save(path string) error {
	content, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := privatefile.Write(path, append(content, '\n')); err != nil {
		return err
	}
	s.path = path
	return s.removeNotes()
}

// Post adds a message for channels to the outbox and gives it its ID.
func (s *State) Post(m Message, channels []string) {
	m.ID = rand.Text()
	letter := &Letter{Message: m, Channels: map[string]*Delivery{}}
	for _, name := range channels {
		letter.Channels[name] = &Delivery{}
	}
	if len(channels) > 0 {
		s.Outbox = append(s.Outbox, letter)
	}
}
