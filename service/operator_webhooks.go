package service

import (
	"context"

	"tarmac/service/store"
	"tarmac/service/webhooks"
)

// EndpointState is a webhook endpoint with the numbers of its pending and held deliveries.
type EndpointState struct {
	webhooks.Endpoint
	store.Backlog
}

// Endpoints returns an organization's webhook endpoints, newest first. The error wraps
// store.ErrNotFound if there is no such organization.
func (s *Service) Endpoints(ctx context.Context, orgPublicID string) ([]EndpointState, error) {
	states := []EndpointState{}
	err := s.readOrganization(ctx, orgPublicID, func(snap *store.Snapshot, org store.OrgKey) error {
		all, err := snap.Endpoints(org)
		if err != nil {
			return err
		}
		backlogs, err := snap.Backlogs(org)
		if err != nil {
			return err
		}
		for _, e := range all {
			states = append(states, EndpointState{e, backlogs[e.ID]})
		}
		return nil
	})
	return states, err
}
