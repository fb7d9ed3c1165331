package sshserver_test

import (
	"bufio"
	"crypto/rand"
	"crypto/rsa"
	"encoding/binary"
	"io"
	"net"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"tarmac/internal/testsupport/openssh"
	"tarmac/sshserver"
)

// weak matches the names of algorithms that are broken, or that cost the server much.
var weak = regexp.MustCompile(`sha1|ssh-rsa|ssh-dss|md5|cbc|3des|arcfour|diffie-hellman|nistp521|none$|umac-64`)

func rsaHostKey(t *testing.T) ssh.Signer {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 3072)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return signer
}

// offeredAlgorithms returns the name-lists of the KEXINIT message that a server sends (RFC 4253,
// section 7.1), without those of compression and languages.
func offeredAlgorithms(t *testing.T, address string) (lists [8][]string) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	if _, err := io.WriteString(conn, "SSH-2.0-reader\r\n"); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	if _, err := in.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	var length uint32
	if err := binary.Read(in, binary.BigEndian, &length); err != nil {
		t.Fatal(err)
	}
	packet := make([]byte, length)
	if _, err := io.ReadFull(in, packet); err != nil {
		t.Fatal(err)
	}
	const kexInit, header = 20, 1 + 1 + 16 // length of the padding, type of the message, cookie
	if packet[1] != kexInit {
		t.Fatalf("the first message is of the type %d", packet[1])
	}
	rest := packet[header:]
	for i := range lists {
		size := binary.BigEndian.Uint32(rest)
		lists[i] = strings.Split(string(rest[4:4+size]), ",")
		rest = rest[4+size:]
	}
	return lists
}

func TestNoWeakAlgorithmIsOffered(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.HostKeys = append(c.HostKeys, rsaHostKey(t)) })

	lists := offeredAlgorithms(t, f.address)

	for i, list := range lists[:6] { // key exchange, host keys, ciphers and MACs in both directions
		for _, name := range list {
			if weak.MatchString(name) {
				t.Errorf("list %d offers %s", i, name)
			}
		}
	}
	if !slices.Equal(lists[1], []string{"ssh-ed25519", "rsa-sha2-256", "rsa-sha2-512"}) {
		t.Errorf("the host keys are %q", lists[1])
	}
}

// OpenSSH names all algorithms that it knows, and offers one of them at a time.
func TestOpenSSHConnectsWithoutWeakAlgorithmsOnly(t *testing.T) {
	f := newFixture(t, func(c *sshserver.Config) { c.HostKeys = append(c.HostKeys, rsaHostKey(t)) })
	ed25519, rsa := f.openssh(), f.openssh()
	rsa.Key = openssh.NewKey(t, "-t", "rsa", "-b", "3072")
	f.admit(publicKey(t, rsa.Key+".pub"))
	for _, kind := range []struct {
		query, option string
		client        openssh.Client
		strong        []string
	}{
		{"kex", "KexAlgorithms", ed25519, []string{"curve25519-sha256", "ecdh-sha2-nistp256"}},
		{"mac", "MACs", ed25519, []string{"hmac-sha2-256-etm@openssh.com", "hmac-sha2-512"}},
		{"cipher", "Ciphers", ed25519, []string{"aes256-gcm@openssh.com"}},
		{"HostKeyAlgorithms", "HostKeyAlgorithms", ed25519, []string{"rsa-sha2-512", "ssh-ed25519"}},
		{"PubkeyAcceptedAlgorithms", "PubkeyAcceptedAlgorithms", rsa, []string{"rsa-sha2-256"}},
	} {
		output, err := exec.Command("ssh", "-Q", kind.query).Output()
		if err != nil {
			t.Fatal(err)
		}
		tried := slices.DeleteFunc(strings.Fields(string(output)), func(name string) bool { return !weak.MatchString(name) })
		if len(tried) == 0 {
			t.Errorf("%s: OpenSSH knows no weak algorithm", kind.query)
		}
		for _, name := range slices.Concat(tried, kind.strong) {
			options := []string{kind.option + "=" + name}
			if kind.query == "mac" { // ciphers with a MAC of their own need none
				options = append(options, "Ciphers=aes128-ctr")
			}
			kind.client.Options = options
			cmd := kind.client.SSH(t, []string{"-tt"})
			cmd.Stdin = strings.NewReader("q")
			result := openssh.Run(t, cmd)
			if connected := strings.Contains(result.Out, "hello ada"); connected != slices.Contains(kind.strong, name) {
				t.Errorf("%s=%s: connected is %t: exit %d, %q", kind.option, name, connected, result.Code, result.Err)
			}
		}
	}
}

func TestAHostKeyOfAnUnknownTypeIsRefused(t *testing.T) {
	config := newFixture(t).Config
	config.HostKeys = []ssh.Signer{dsaSigner{newSigner(t)}}
	if _, err := sshserver.New(config); err == nil || !strings.Contains(err.Error(), "ssh-dss") {
		t.Errorf("New = %v", err)
	}
}

// dsaSigner is a host key that claims to be a DSA key.
type dsaSigner struct{ ssh.Signer }

func (s dsaSigner) PublicKey() ssh.PublicKey { return dsaKey{s.Signer.PublicKey()} }

type dsaKey struct{ ssh.PublicKey }

func (dsaKey) Type() string { return "ssh-dss" }
