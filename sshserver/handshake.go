package sshserver

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"time"

	"golang.org/x/crypto/ssh"
)

// version is the identification that the server sends before the handshake. It has no version
// number, so that scanners cannot look up known vulnerabilities of it.
const version = "SSH-2.0-tarmac"

// maxAuthTries is how many keys a client may offer on a connection, as many as OpenSSH's server
// allows.
const maxAuthTries = 6

// decisionTime limits how long a decision about a key may take.
const decisionTime = 5 * time.Second

// errRefused refuses a key. Clients do not see its text.
var errRefused = errors.New("the key is refused")

// grantKey is the key of the grant in ssh.Permissions.ExtraData.
type grantKey struct{}

// handshakeConfig returns the configuration for one connection. VerifiedPublicKeyCallback decides
// about a key after the client has proved that it has the private key. PublicKeyCallback only
// refuses unknown keys before that.
func (s *Server) handshakeConfig(ctx context.Context, remote netip.AddrPort) *ssh.ServerConfig {
	config := &ssh.ServerConfig{
		ServerVersion: version,
		MaxAuthTries:  maxAuthTries,
		PublicKeyCallback: func(meta ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if _, isCertificate := key.(*ssh.Certificate); isCertificate {
				s.Logger.Info("a certificate was refused: add its key itself", "address", remote)
				return nil, errRefused
			}
			ctx, cancel := context.WithTimeout(ctx, decisionTime)
			defer cancel()
			known, err := s.IsKnown(ctx, Login{meta.User(), key, remote})
			if err != nil {
				s.Logger.Warn("a key could not be looked up", "address", remote, "error", err)
			}
			if err == nil && !known {
				s.unknownKeys.Do(func() {
					s.Logger.Info("an unknown key was refused", "address", remote, "key", ssh.FingerprintSHA256(key))
				})
			}
			if err != nil || !known {
				return nil, errRefused
			}
			return &ssh.Permissions{}, nil
		},
		VerifiedPublicKeyCallback: func(meta ssh.ConnMetadata, key ssh.PublicKey, _ *ssh.Permissions, _ string) (
			*ssh.Permissions, error,
		) {
			ctx, cancel := context.WithTimeout(ctx, decisionTime)
			defer cancel()
			login := Login{meta.User(), key, remote}
			grant, err := s.Authenticate(ctx, login)
			if err != nil {
				s.Logger.Info("a login was refused", "address", remote, "key", ssh.FingerprintSHA256(key), "error", err)
				return nil, errRefused
			}
			return &ssh.Permissions{ExtraData: map[any]any{grantKey{}: granted{login, grant}}}, nil
		},
	}
	for _, key := range s.HostKeys {
		config.AddHostKey(key)
	}
	return config
}

// granted is a login that succeeded.
type granted struct {
	login Login
	grant any
}

// handshake authenticates the client of a connection. It returns an error if the client has not
// authenticated in time.
func (s *Server) handshake(ctx context.Context, conn net.Conn, remote netip.AddrPort) (
	*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request, error,
) {
	if err := conn.SetDeadline(time.Now().Add(s.Limits.HandshakeTimeout)); err != nil {
		return nil, nil, nil, err
	}
	server, channels, requests, err := ssh.NewServerConn(conn, s.handshakeConfig(ctx, remote))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the handshake failed: %w", err)
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil, nil, nil, err
	}
	return server, channels, requests, nil
}
