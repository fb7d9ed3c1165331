//go:build unix

package sshserver_test

import (
	"bytes"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"tarmac/internal/testsupport/openssh"
)

// unwillingAgent is an SSH agent that refuses to sign with one of its keys.
type unwillingAgent struct {
	agent.Agent
	unwilling ssh.PublicKey
}

func (a unwillingAgent) Sign(key ssh.PublicKey, data []byte) (*ssh.Signature, error) {
	if bytes.Equal(key.Marshal(), a.unwilling.Marshal()) {
		return nil, errors.New("the agent does not sign with this key")
	}
	return a.Agent.Sign(key, data)
}

// serveAgent serves an agent with two new keys that may open sessions, and returns the path of its
// socket. It signs with the second key only.
func (f *fixture) serveAgent() (socket string, unwilling, willing ssh.PublicKey) {
	f.t.Helper()
	keyring := agent.NewKeyring()
	var keys []ssh.PublicKey
	for range 2 {
		key := newPrivateKey(f.t)
		if err := keyring.Add(agent.AddedKey{PrivateKey: key}); err != nil {
			f.t.Fatal(err)
		}
		signer, err := ssh.NewSignerFromKey(key)
		if err != nil {
			f.t.Fatal(err)
		}
		f.admit(signer.PublicKey())
		keys = append(keys, signer.PublicKey())
	}
	socket = filepath.Join(f.t.TempDir(), "agent")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				_ = agent.ServeAgent(unwillingAgent{keyring, keys[0]}, conn)
			}()
		}
	}()
	return socket, keys[0], keys[1]
}

// OpenSSH offers both keys of an agent that signs with the second one only. The session is that of
// the second key, and the agent is not forwarded.
func TestTheSessionHasTheKeyThatAnAgentSignedWith(t *testing.T) {
	f := newFixture(t)
	c := f.openssh()
	socket, unwilling, willing := f.serveAgent()
	c.Key = "none"
	c.Options = []string{"IdentitiesOnly=no", "IdentityAgent=" + socket, "ForwardAgent=" + socket}
	cmd := c.SSH(t, []string{"-tt"})
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out lockedBuffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f.until("a greeting", func() bool { return strings.Contains(out.String(), "hello ada") })
	all := f.Sessions()
	if _, err := io.WriteString(in, "q"); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v: %q", err, out.String())
	}

	if len(all) != 1 || all[0] != ssh.FingerprintSHA256(willing) {
		t.Errorf("the sessions are %+v", all)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if !strings.Contains(strings.Join(f.offered, ""), string(unwilling.Marshal())) {
		t.Error("the client did not offer the key that it cannot prove")
	}
	if !strings.Contains(out.String(), "tarmac: agent forwarding (-A) is refused") {
		t.Errorf("the client is shown %q", out.String())
	}
}

// ssh -N opens no session. Without a limit, it would hold its connection for ever.
func TestOpenSSHWithoutASessionIsDisconnected(t *testing.T) {
	f := newFixture(t)

	result := openssh.Run(t, f.openssh().SSH(t, []string{"-N"}))

	if result.Code != 255 || !strings.Contains(result.Err, "closed by remote host") {
		t.Errorf("exit %d, %q", result.Code, result.Err)
	}
}

func TestAStoppedOpenSSHIsDisconnected(t *testing.T) {
	f := newFixture(t)
	cmd := f.openssh().SSH(t, []string{"-tt"})
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var out lockedBuffer
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f.until("a greeting", func() bool { return strings.Contains(out.String(), "hello ada") })
	if _, err := io.WriteString(in, "f"); err != nil {
		t.Fatal(err)
	}
	f.until("output", func() bool { return len(out.String()) > 10_000 })
	if err := cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}

	if err := f.end(); err == nil {
		t.Error("the session of a stopped client ended without an error")
	}
	f.until("the end", func() bool { return len(f.Sessions()) == 0 })
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
}

func TestOpenSSHShowsWhyASessionEnds(t *testing.T) {
	f := newFixture(t)
	cmd := f.openssh().SSH(t, []string{"-tt"})
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	var out lockedBuffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f.until("a session", func() bool { return len(f.Sessions()) == 1 })

	f.End(func(string) bool { return true }, errors.New("the key was revoked"))

	_ = cmd.Wait() // the exit status says how it ended
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(out.String(), "tarmac: the key was revoked\r\n") {
		t.Errorf("exit %d, %q", cmd.ProcessState.ExitCode(), out.String())
	}
}
