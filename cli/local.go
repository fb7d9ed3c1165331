package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"tarmac/apiclient"
	"tarmac/internal/panics"
	"tarmac/service"
	"tarmac/service/access"
)

// localTokenLife is the lifetime of the token of a local service. The program deletes the token
// when it ends; the lifetime matters only if the program is killed.
const localTokenLife = 24 * time.Hour

// localOrigin stands for the changing address of a local service in the names of saved files, so
// that the next start finds drafts, plans and filters again.
const localOrigin = "local"

// localTasks are the background tasks of a service in this process. A panic in one of them ends
// the dashboard, which restores the terminal.
type localTasks struct {
	dialer
	ctx  context.Context // context that ends all tasks
	wait sync.WaitGroup
}

// Go runs a task in a goroutine. Its context is cancelled when the service stops.
func (t *localTasks) Go(run func(context.Context)) {
	t.wait.Go(func() {
		defer func() {
			if r := recover(); r != nil {
				t.broken(panics.Describe(r))
			}
		}()
		run(t.ctx)
	})
}

// serveLocal serves svc on a free port of the loopback interface. It returns a client for one
// organization, whose token has all scopes. The closers delete the token and end the tasks.
func (d dialer) serveLocal(ctx context.Context, svc *service.Service, org string,
	closing *closers) (*apiclient.Client, *localTasks, error) {
	secret, token, err := svc.CreateToken(ctx, org, access.Scopes[:], localTokenLife)
	if err != nil {
		return nil, nil, err
	}
	closing.add(func() { _ = svc.DeleteToken(context.WithoutCancel(ctx), token.PublicID) })

	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, fmt.Errorf("cannot listen on the loopback address: %w", err)
	}
	running, stop := context.WithCancel(ctx)
	tasks := &localTasks{dialer: d, ctx: running}
	closing.add(func() { stop(); tasks.wait.Wait() })
	tasks.Go(func(ctx context.Context) {
		if fault := new(panics.Fault); errors.As(svc.Serve(ctx, listener, nil), &fault) {
			d.broken(fault)
		}
	})
	client, err := d.client(
		"http://"+listener.Addr().String(), apiclient.Token(secret), apiclient.WithOrigin(localOrigin),
		apiclient.WithLocalServer(),
	)
	return client, tasks, err
}
