package sshserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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

// Reasons for which a key is refused before it is proved. Clients do not see their texts.
var (
	errRefused     = errors.New("the key is refused")
	errUnknownKey  = fmt.Errorf("%w: it is unknown", errRefused)
	errCertificate = fmt.Errorf("%w: a certificate is not accepted, add its key itself", errRefused)
)

// handshakeConfig returns the configuration for one connection. VerifiedPublicKeyCallback decides
// about a key after the client has proved that it has the private key. PublicKeyCallback refuses
// unknown keys before that, as OpenSSH's server does: a client with several keys then asks the
// person only for the passphrase or the touch of a key that may succeed.
func (s *Server) handshakeConfig(client *client) *ssh.ServerConfig {
	config := &ssh.ServerConfig{
		Config:                  ssh.Config{KeyExchanges: keyExchanges, Ciphers: ciphers, MACs: macs},
		PublicKeyAuthAlgorithms: clientSignatures,
		ServerVersion:           version,
		MaxAuthTries:            maxAuthTries,
		PublicKeyCallback: func(meta ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
			if err := s.checkKnown(client.ctx, Login{meta.User(), key, client.remote}); err != nil {
				s.logRefusedKey(client, key, err)
				return nil, errRefused
			}
			s.clients.noteKnownKey(client)
			return &ssh.Permissions{}, nil
		},
		VerifiedPublicKeyCallback: func(meta ssh.ConnMetadata, key ssh.PublicKey, _ *ssh.Permissions, _ string) (
			*ssh.Permissions, error,
		) {
			err := s.authenticate(client, Login{meta.User(), key, client.remote})
			if err != nil {
				s.logRefusedKey(client, key, err)
			}
			switch {
			case errors.Is(err, errTooManyOfKey) || errors.Is(err, errTooManyOfAll):
				return nil, &ssh.BannerError{Err: errRefused, Message: "tarmac: " + err.Error() + "\r\n"}
			case err != nil:
				return nil, errRefused
			}
			return &ssh.Permissions{}, nil
		},
	}
	for _, key := range s.HostKeys {
		config.AddHostKey(key)
	}
	return config
}

// checkKnown returns an error if a key that is not proved yet can open no session.
func (s *Server) checkKnown(ctx context.Context, login Login) error {
	if _, isCertificate := login.Key.(*ssh.Certificate); isCertificate {
		return errCertificate
	}
	ctx, cancel := context.WithTimeout(ctx, decisionTime)
	defer cancel()
	known, err := s.IsKnown(ctx, login)
	if err == nil && !known {
		err = errUnknownKey
	}
	return err
}

// authenticate decides about a key that is proved.
func (s *Server) authenticate(client *client, login Login) error {
	ctx, cancel := context.WithTimeout(client.ctx, decisionTime)
	defer cancel()
	grant, err := s.Authenticate(ctx, login)
	if err != nil {
		return err
	}
	return s.clients.authenticate(client, granted{login, grant})
}

func (s *Server) logRefusedKey(client *client, key ssh.PublicKey, err error) {
	s.tally.count(cmp.Or(reasonOf(err), ReasonKey))
	s.refusedKeys.Do(func() {
		s.Logger.Info("a key was refused", "address", client.remote.String(), "key", ssh.FingerprintSHA256(key),
			"error", err)
	})
}

// granted is a login that succeeded.
type granted struct {
	login Login
	grant any
}

// handshake authenticates a client. It returns an error if the client has not authenticated in
// time.
func (s *Server) handshake(client *client) (*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request, error) {
	if err := client.conn.SetDeadline(time.Now().Add(s.Limits.HandshakeTimeout)); err != nil {
		return nil, nil, nil, err
	}
	server, channels, requests, err := ssh.NewServerConn(client.conn, s.handshakeConfig(client))
	if err != nil {
		return nil, nil, nil, fmt.Errorf("the handshake failed: %w", err)
	}
	if err := client.conn.SetDeadline(time.Time{}); err != nil {
		return nil, nil, nil, err
	}
	return server, channels, requests, nil
}
