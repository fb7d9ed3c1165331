package httpapi

import (
	"context"
	"crypto/sha256"
	"fmt"
	"sync"

	"tarmac/service/access"
	"tarmac/service/admission"
	"tarmac/service/connections"
)

// openLimits limits the open requests, which include those that wait and those that are sending
// their response. Callers that are not authenticated are grouped by address, others by
// organization. A group has at most a quarter of the requests and a token three quarters of its
// group's, so that neither keeps others out.
func openLimits(maximum int) admission.Limits {
	group := 4 * maximum
	return admission.Limits{
		Running: 16 * maximum, RunningPerGroup: group, RunningPerMember: group * 3 / 4,
		Waiting: 4 * maximum, WaitingPerGroup: maximum,
	}
}

// workLimits limits the authorized requests in progress, by organization and token.
func workLimits(maximum int) admission.Limits {
	group := max(1, maximum/4)
	return admission.Limits{
		Running: maximum, RunningPerGroup: group, RunningPerMember: group,
		Waiting: 8 * maximum, WaitingPerGroup: 2 * maximum,
	}
}

// arrivalKey returns the key by which an unauthenticated request counts as open. All clients behind
// a proxy on this machine have its address. Requests with a token that was valid recently therefore
// count for its organization at once, and others behind one address take turns by their token.
func (c *call) arrivalKey() admission.Key {
	network := connections.Network(c.caller.address)
	secret, err := bearer(c.r.Header)
	if err != nil {
		return admission.Key{Group: network}
	}
	hash := access.Hash(secret)
	if key, ok := c.api.known.find(hash); ok {
		return key
	}
	return admission.Key{Group: network, Member: fmt.Sprintf("%x", hash)}
}

// authorizedKey returns the key by which an authenticated request counts.
func (c *call) authorizedKey() admission.Key {
	return admission.Key{Group: c.credential.OrgPublicID, Member: c.credential.PublicID}
}

// waitForTurn waits until a gate lets a request in, at most for queueTimeout.
func waitForTurn(ctx context.Context, gate *admission.Gate, key admission.Key) (*admission.Slot, error) {
	waiting, cancel := context.WithTimeout(ctx, queueTimeout)
	defer cancel()
	slot, err := gate.Acquire(waiting, key)
	if err != nil {
		return nil, overloaded(err)
	}
	return slot, nil
}

// maxKnownTokens is how many tokens knownTokens remembers, of about 150 bytes each.
const maxKnownTokens = 4096

// knownTokens remembers whose the tokens are that were valid recently. It only decides in whose
// queue a request waits to be authenticated. The zero value is empty.
type knownTokens struct {
	mu     sync.Mutex
	byHash map[[sha256.Size]byte]admission.Key
}

func (k *knownTokens) find(hash [sha256.Size]byte) (admission.Key, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	key, ok := k.byHash[hash]
	return key, ok
}

// add remembers a valid token. If there are too many, it forgets any other one.
func (k *knownTokens) add(hash [sha256.Size]byte, key admission.Key) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.byHash == nil {
		k.byHash = map[[sha256.Size]byte]admission.Key{}
	}
	if _, ok := k.byHash[hash]; !ok && len(k.byHash) >= maxKnownTokens {
		for other := range k.byHash {
			delete(k.byHash, other)
			break
		}
	}
	k.byHash[hash] = key
}

// remove forgets a token that is no longer valid.
func (k *knownTokens) remove(hash [sha256.Size]byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.byHash, hash)
}
