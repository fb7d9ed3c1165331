package service

import (
	"context"

	"tarmac/internal/processes"
	"tarmac/service/store"
)

// SSHSessions returns an organization's sessions over SSH, newest first, but at most limit. The
// error wraps store.ErrNotFound if there is no such organization.
func (s *Service) SSHSessions(ctx context.Context, orgPublicID string, limit int) ([]store.SSHSession, error) {
	_, org, err := s.Organization(ctx, orgPublicID)
	if err != nil {
		return nil, err
	}
	sessions, err := s.store.SSHSessions(ctx, org, limit)
	if err != nil {
		return nil, err
	}
	_, killed, err := s.SSHProcesses(ctx)
	if err != nil {
		return nil, err
	}
	for i := range sessions {
		for _, p := range killed {
			sessions[i].Killed = sessions[i].Killed || sessions[i].Process == p.ID
		}
	}
	return sessions, nil
}

// SSHProcesses returns the processes that serve sessions over SSH, oldest first. Processes of this
// machine that were killed are apart; one of another machine counts as serving until its LostAt.
func (s *Service) SSHProcesses(ctx context.Context) (serving, killed []store.SSHProcess, err error) {
	all, err := s.store.SSHProcesses(ctx, s.now())
	for _, p := range all {
		if processes.Ended(p.Identity) {
			killed = append(killed, p)
		} else {
			serving = append(serving, p)
		}
	}
	return serving, killed, err
}

// LoseKilledSSHProcesses records the ends of processes of this machine that were killed, and of
// their sessions.
func (s *Service) LoseKilledSSHProcesses(ctx context.Context) error {
	_, killed, err := s.SSHProcesses(ctx)
	if err != nil || len(killed) == 0 {
		return err
	}
	return s.store.Write(ctx, func(tx *store.Tx) error {
		for _, p := range killed {
			if err := tx.LoseSSHProcess(p.ID); err != nil {
				return err
			}
		}
		return nil
	})
}
