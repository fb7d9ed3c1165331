package alerts_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"tarmac/client/alerts"
)

func TestAChannelThatRefusesIsTriedAgainForADay(t *testing.T) {
	s, mail := newState(t), &channel{broken: errors.New("451 try later")}
	post(s, monday, "one")
	now := monday
	attempts := 0
	for ; now.Before(monday.AddDate(0, 0, 2)); now = now.Add(time.Minute) {
		before, _ := s.Waiting("mail")
		if err := s.Deliver(t.Context(), map[string]alerts.Sender{"mail": mail}, func() time.Time { return now },
			func() error { attempts++; return nil }); err != nil || before > 1 {
			t.Fatal(err, before)
		}
	}
	if n, _ := s.Waiting("mail"); n != 0 || s.Refused["mail"] != "has taken nothing for a day: 451 try later" {
		t.Errorf("%d wait, %q", n, s.Refused["mail"])
	}
	if attempts < 10 || attempts > 30 {
		t.Errorf("%d attempts in a day", attempts)
	}
}

func TestManyWaitingMessagesBecomeOne(t *testing.T) {
	s, mail := newState(t), &channel{}
	for n := range 100 {
		post(s, monday.Add(time.Duration(n)*time.Minute), fmt.Sprint(n))
	}
	deliver(t, s, mail, monday.AddDate(0, 0, 1))
	if len(mail.took) != 1 || len(s.Outbox) != 0 {
		t.Errorf("%d messages, %d wait", len(mail.took), len(s.Outbox))
	}
}

func deliver(t testing.TB, s *alerts.State, c alerts.Sender, at time.Time) {
	t.Helper()
	if err := s.Deliver(t.Context(), map[string]alerts.Sender{"mail": c}, func() time.Time { return at },
		func() error { return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestAClockThatJumpsBackKeepsNothingWaiting(t *testing.T) {
	s, mail := newState(t), &channel{broken: errors.New("no")}
	post(s, monday, "one")
	deliver(t, s, mail, monday.AddDate(0, 0, 1).Add(-time.Hour))
	mail.broken = nil
	deliver(t, s, mail, monday.Add(-24*time.Hour))
	if len(mail.took) != 1 {
		t.Errorf("it waits until %v", s.NextDelivery())
	}
}

func TestAClockThatJumpsAheadGivesNothingUp(t *testing.T) {
	s, mail := newState(t), &channel{broken: errors.New("no")}
	post(s, monday, "one")
	deliver(t, s, mail, monday)
	deliver(t, s, mail, monday.AddDate(0, 0, 1)) // a second attempt, as for a machine that slept
	mail.broken = nil
	deliver(t, s, mail, monday.AddDate(0, 0, 1).Add(time.Hour))
	if len(mail.took) != 1 || len(s.Refused) != 0 {
		t.Errorf("it took %d messages, refused %v", len(mail.took), s.Refused)
	}
}

// Whatever happens between two writes of the state, each message arrives. One arrives twice, with
// the same ID, only if the program ends before it has noted that the channel took it.
func TestNoMessageIsLostHoweverTheProgramEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "alerts.json")
	rapid.Check(t, func(t *rapid.T) {
		s := &alerts.State{Version: 1}
		mail := &channel{}
		killed, noted := errors.New("killed"), true
		posted := rapid.IntRange(1, 4).Draw(t, "messages")
		for n := range posted {
			post(s, monday, fmt.Sprint(n))
		}
		var ids []string
		for _, l := range s.Outbox {
			ids = append(ids, l.ID)
		}
		save := func() error {
			if rapid.IntRange(0, 2).Draw(t, "kill") == 0 {
				return killed
			}
			return s.Save(path)
		}
		if err := s.Save(path); err != nil {
			t.Fatal(err)
		}
		for range 50 {
			if err := s.Deliver(context.Background(), map[string]alerts.Sender{"mail": mail},
				func() time.Time { return monday }, save); err == nil {
				break
			}
			notes, err := os.ReadFile(path + ".taken")
			if err == nil && rapid.IntRange(0, 3).Draw(t, "kill before the note") == 0 {
				noted = false
				last := bytes.LastIndexByte(notes[:len(notes)-1], '\n') + 1
				if err := os.WriteFile(path+".taken", notes[:last], 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if s, err = alerts.Load(path); err != nil {
				t.Fatal(err)
			}
		}
		took := mail.took
		if !noted {
			took = slices.Compact(slices.Clone(took))
		}
		if !slices.Equal(took, ids) {
			t.Fatalf("took %q of %q, all noted: %t", mail.took, ids, noted)
		}
	})
}
