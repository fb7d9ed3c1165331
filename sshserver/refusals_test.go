package sshserver_test

import (
	"encoding/binary"
	"io"
	"net"
	"path/filepath"
	"strings"
	"testing"

	"tarmac/internal/testsupport/openssh"
)

const (
	aCommand   = "tarmac: only the dashboard is served here: connect without a command. Commands run on your own machine"
	noFiles    = "tarmac: no files are served here"
	cannotDraw = "the dashboard cannot be drawn on this terminal: set TERM to its name"
	noTerminal = "tarmac: the dashboard needs a terminal: connect with ssh -t"
)

// The exit codes are those of OpenSSH's programs.
func TestOpenSSHShowsWhatIsRefused(t *testing.T) {
	f := newFixture(t)
	c := f.openssh()
	for name, test := range map[string]struct {
		result openssh.Result
		says   string
		code   int
	}{
		"no terminal":             {openssh.Run(t, c.SSH(t, []string{"-T"})), noTerminal, 2},
		"a command":               {openssh.Run(t, c.SSH(t, nil, "ls", "/")), aCommand, 2},
		"a command on a terminal": {openssh.Run(t, c.SSH(t, []string{"-tt"}, "ls")), aCommand, 2},
		"a subsystem":             {openssh.Run(t, c.SSH(t, []string{"-s"}, "netconf")), noFiles, 2},
		"sftp":                    {openssh.Run(t, c.SFTP(t)), noFiles, 255},
		"scp":                     {openssh.Run(t, c.SCP(t, "/etc/passwd", t.TempDir())), noFiles, 255},
		"old scp":                 {openssh.Run(t, c.SCP(t, "/etc/passwd", t.TempDir(), "-O")), aCommand, 1},
		"a port of the server": {
			openssh.Run(t, c.SSH(t, []string{"-W", "127.0.0.1:22"})),
			"tarmac serves a dashboard only; nothing is forwarded", 255,
		},
		"a tunnel": {
			openssh.Run(t, c.SSH(t, []string{"-N", "-o", "Tunnel=point-to-point", "-o", "ExitOnForwardFailure=yes"})),
			"", 255,
		},
	} {
		said := test.result.Out + test.result.Err
		if !strings.Contains(said, test.says) || test.result.Code != test.code {
			t.Errorf("%s: exit %d, %q", name, test.result.Code, said)
		}
	}
	select {
	case err := <-f.ended:
		t.Errorf("a session ran and ended with %v", err)
	default:
	}
}

// OpenSSH does not show by itself that forwarding was refused.
func TestTheSessionBeginsWithTheRefusalOfForwarding(t *testing.T) {
	f := newFixture(t)
	c := f.openssh("ExitOnForwardFailure=no", "ForwardAgent=yes", "ForwardX11=yes", "ForwardX11Trusted=yes")
	cmd := c.SSH(t, []string{"-tt", "-R", "0:127.0.0.1:9"})
	cmd.Env = append(cmd.Env, "DISPLAY=127.0.0.1:9")
	cmd.Stdin = strings.NewReader("q")

	result := openssh.Run(t, cmd)

	for _, said := range []string{"tarmac: port forwarding (-R) is refused", "tarmac: X11 forwarding (-X) is refused"} {
		if !strings.Contains(result.Out+result.Err, said) {
			t.Errorf("the client is not told %q; exit %d, %q", said, result.Code, result.Out+result.Err)
		}
	}
}

// The client itself listens for -L and -D. The server refuses what it forwards.
func TestOpenSSHForwardsNothingThroughTheServer(t *testing.T) {
	secret, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = secret.Close() }()
	target := secret.Addr().(*net.TCPAddr).AddrPort()
	for flag, c := range map[string]struct{ forward, sends string }{
		"-L": {":" + target.String(), ""},
		// SOCKS 4: connect to an address, as nobody
		"-D": {"", "\x04\x01" + string(binary.BigEndian.AppendUint16(nil, target.Port())) + "\x7f\x00\x00\x01\x00"},
	} {
		t.Run(flag, func(t *testing.T) {
			f := newFixture(t)
			local := filepath.Join(t.TempDir(), "socket")
			if flag == "-D" {
				local = freeAddress(t)
			}
			cmd := f.openssh("ExitOnForwardFailure=yes").SSH(t, []string{"-tt", flag, local + c.forward})
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

			network := "unix"
			if flag == "-D" {
				network = "tcp"
			}
			conn, err := net.Dial(network, local)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = conn.Close() }()
			_, _ = io.WriteString(conn, c.sends)
			_, _ = io.Copy(io.Discard, conn) // until the client closes it

			f.until("a sentence", func() bool {
				return strings.Contains(out.String(), "tarmac serves a dashboard only; nothing is forwarded")
			})
			if _, err := io.WriteString(in, "q"); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("the session ended with %v", err)
			}
		})
	}
}

// freeAddress returns an address of this machine on which nobody listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}

func TestPasswordsAreRefused(t *testing.T) {
	f := newFixture(t)
	c := f.openssh(
		"PreferredAuthentications=none,password,keyboard-interactive,hostbased,gssapi-with-mic",
		"BatchMode=yes",
	)

	result := openssh.Run(t, c.SSH(t, []string{"-tt"}))

	if result.Code != 255 || !strings.Contains(result.Err, "Permission denied (publickey)") {
		t.Errorf("exit %d, %q", result.Code, result.Err)
	}
}

// A client cannot tell an unknown key from a known key that may not open sessions with this user
// name.
func TestRefusedLoginsLookAlike(t *testing.T) {
	f := newFixture(t)
	known := f.openssh("BatchMode=yes")
	unknown := known
	unknown.Key = openssh.NewKey(t, "-t", "ed25519")
	stranger := known
	stranger.User = "stranger"

	a := openssh.Run(t, unknown.SSH(t, []string{"-tt"}))
	b := openssh.Run(t, stranger.SSH(t, []string{"-tt"}))

	if a.Code != 255 || b.Code != 255 || strings.ReplaceAll(a.Err, "ada", "stranger") != b.Err ||
		!strings.Contains(a.Err, "Permission denied (publickey).") {
		t.Errorf("%+v and %+v", a, b)
	}
}

// Certificates are refused whatever they contain, even if their key alone could open sessions.
func TestCertificatesAreRefused(t *testing.T) {
	f := newFixture(t)
	authority := openssh.NewKey(t, "-t", "ed25519")
	f.admit(publicKey(t, authority+".pub"))
	for name, options := range map[string][]string{
		"valid":                 {"-n", "ada"},
		"without principals":    nil,
		"of another address":    {"-n", "ada", "-O", "source-address=10.1.2.3/32"},
		"of another user":       {"-n", "grace"},
		"expired":               {"-n", "ada", "-V", "-2d:-1d"},
		"with a forced command": {"-n", "ada", "-O", "force-command=ls"},
	} {
		c := f.openssh("BatchMode=yes")
		openssh.Keygen(
			t,
			append(append([]string{"-q", "-s", authority, "-I", "test"}, options...), c.Key+".pub")...)
		c.Options = append(
			c.Options,
			"CertificateFile="+c.Key+"-cert.pub",
			"PubkeyAcceptedAlgorithms=*-cert-v01@openssh.com",
		)

		result := openssh.Run(t, c.SSH(t, []string{"-tt"}))

		if result.Code != 255 || !strings.Contains(result.Err, "Permission denied (publickey)") {
			t.Errorf("a certificate that is %s: exit %d, %q", name, result.Code, result.Err)
		}
	}
	if !strings.Contains(f.log.String(), "a certificate is not accepted, add its key itself") {
		t.Errorf("the log is %s", f.log)
	}
}

func TestOtherEnvironmentVariablesAreDropped(t *testing.T) {
	f := newFixture(t)
	c := f.openssh(
		`SetEnv=TARMAC_TOKEN=x TMUX=/tmp/x TERMINFO=/etc LANG=en_US.UTF-8 COLORTERM=truecolor NO_COLOR=1 ` +
			`LC_ALL=../../etc/passwd LC_CTYPE=` + strings.Repeat("x", 65),
	)
	cmd := c.SSH(t, []string{"-tt"})
	cmd.Stdin = strings.NewReader("q")

	result := openssh.Run(t, cmd)

	want := "hello ada [TERM=xterm-256color COLORTERM=truecolor LANG=en_US.UTF-8 NO_COLOR=1] "
	if !strings.Contains(result.Out, want) || result.Code != 0 {
		t.Errorf("exit %d, %q", result.Code, result.Out+result.Err)
	}
}

func TestInvalidTerminalTypesAreRefused(t *testing.T) {
	f := newFixture(t)
	c := f.openssh()
	for term, says := range map[string]string{
		"dumb": cannotDraw, "../../../etc/passwd": cannotDraw, strings.Repeat("x", 70_000): cannotDraw,
	} {
		cmd := c.SSH(t, []string{"-tt"})
		cmd.Env = append(cmd.Env, "TERM="+term)

		result := openssh.Run(t, cmd)

		if !strings.Contains(result.Out+result.Err, says) || result.Code == 0 {
			t.Errorf("TERM=%.30s: exit %d, %q", term, result.Code, result.Out+result.Err)
		}
	}
}
