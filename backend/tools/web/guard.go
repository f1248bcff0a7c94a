package web

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf8"

	"golang.org/x/net/idna"

	"agentchat/backend/apperr"
	"agentchat/backend/brief"
	"agentchat/backend/language/bilingual"
)

// MaxURL is how long an address may be, in bytes.
const MaxURL = 2000

// inside are the addresses that do not lie on the open internet: this computer, the house's network, the provider's, what is kept for
// special uses, and IPv6 addresses that carry an IPv4 address, behind which any of these could stand.
var inside = prefixes(
	"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
	"192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16", "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24",
	"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
	"168.63.129.16/32", "100.100.100.200/32", // metadata services that stand at public addresses
	"64:ff9b::/96", "64:ff9b:1::/48", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16",
)

// globalV6 is all of IPv6 that is handed out for the open internet; the rest is local, multicast or nobody's.
var globalV6 = netip.MustParsePrefix("2000::/3")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, text := range list {
		out[i] = netip.MustParsePrefix(text)
	}
	return out
}

// Public tells whether an address lies on the open internet.
func Public(a netip.Addr) bool {
	if !a.IsValid() || a.Zone() != "" || a.Is4In6() {
		return false
	}
	if a.Is6() && !globalV6.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(inside, func(p netip.Prefix) bool { return p.Contains(a) })
}

// otherPorts are ports above 1023 that browsers keep away from too, because what listens there takes a request for something else
// (WHATWG Fetch, "bad port").
var otherPorts = []uint16{1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080}

// webPort tells whether pages may be read from a port: the web's own two, and those that anybody may open.
func webPort(port uint16) bool {
	return port == 80 || port == 443 || port > 1023 && !slices.Contains(otherPorts, port)
}

// refusal says why an address is not opened.
type refusal = bilingual.Text

var (
	notWeb      = refusal{KO: "http나 https 주소가 아니에요", EN: "it is not an http or https address"}
	hasUser     = refusal{KO: "주소 안에 이름이나 비밀번호가 들어 있어요", EN: "it carries a name or password"}
	wrongPort   = refusal{KO: "웹에 쓰지 않는 포트예요", EN: "its port is not one for the web"}
	notPublic   = refusal{KO: "이 컴퓨터나 내부 네트워크의 주소예요", EN: "it leads to this computer or a private network"}
	badAddress  = refusal{KO: "올바른 주소가 아니에요", EN: "it is not a proper address"}
	tooManyHops = refusal{KO: "다른 주소로 너무 여러 번 넘겨요", EN: "it leads on to other addresses too many times"}
)

func refused(address string, why refusal) error {
	return apperr.New(apperr.AddressRefused, "url", short(address), "why", why)
}

// short is an address in a sentence: what it begins with.
func short(address string) string {
	const most = 120
	clean := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, strings.ToValidUTF8(address, ""))
	return brief.Cut(clean, most)
}

// Read takes an address apart and checks everything about it that can be seen without asking for its host: http or https, no name
// or password, a port for the web, a proper host. A host without a scheme gets https. The host comes back in ASCII and lower case.
// An error is address_refused.
func Read(address string) (*url.URL, error) {
	text := strings.TrimSpace(address)
	if len(text) > MaxURL {
		return nil, refused(text, badAddress)
	}
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	u, err := url.Parse(text)
	if err != nil {
		return nil, refused(address, badAddress)
	}
	return u, check(u)
}

// checkPort refuses an address with a port that is none of the web's.
func checkPort(u *url.URL) error {
	port := map[string]uint16{"http": 80, "https": 443}[u.Scheme]
	if text := u.Port(); text != "" {
		n, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return refused(u.Redacted(), badAddress)
		}
		port = uint16(n)
	} else if strings.HasSuffix(u.Host, ":") {
		return refused(u.Redacted(), badAddress)
	}
	if !webPort(port) {
		return refused(u.Redacted(), wrongPort)
	}
	return nil
}

// check refuses an address and puts its host into the form that is asked for.
func check(u *url.URL) error {
	address := u.Redacted()
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refused(address, notWeb)
	case u.User != nil:
		return refused(address, hasUser)
	case u.Opaque != "" || u.Hostname() == "":
		return refused(address, badAddress)
	}
	if err := checkPort(u); err != nil {
		return err
	}
	if a, err := netip.ParseAddr(u.Hostname()); err == nil {
		if !Public(a) {
			return refused(address, notPublic)
		}
		return nil
	}
	host, err := publicName(u)
	if err != nil {
		return err
	}
	if text := u.Port(); text != "" {
		host = net.JoinHostPort(host, text)
	}
	u.Host = host
	return nil
}

// publicName gives the name of an address's host as it is asked for; an error when it is no name of the open internet.
func publicName(u *url.URL) (string, error) {
	address, host := u.Redacted(), u.Hostname()
	host, err := idna.Lookup.ToASCII(strings.TrimSuffix(host, "."))
	again, also := idna.Lookup.ToASCII(host)
	if err != nil || also != nil || again != host || !utf8.ValidString(u.Host) {
		return "", refused(address, badAddress)
	}
	if !strings.Contains(host, ".") || strings.HasPrefix(host, ".") || strings.Contains(host, "..") || numeric(host) {
		return "", refused(address, notPublic)
	}
	for _, own := range []string{"localhost", "local", "internal", "home.arpa", "lan", "onion"} {
		if host == own || strings.HasSuffix(host, "."+own) {
			return "", refused(address, notPublic)
		}
	}
	return host, nil
}

// numeric tells a host whose last part is a number: not a name, but an IPv4 address in one of its odd spellings (0x7f.1, 127.1).
func numeric(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	_, err := strconv.ParseUint(last, 0, 64)
	return err == nil || strings.Trim(last, "0123456789") == ""
}

// errInside says that a connection would not have left for the open internet.
type errInside struct{ address string }

func (e errInside) Error() string { return "not a public address: " + e.address }

// control is asked by the dialer about the very address that it is about to connect to, after every look-up.
func control(network, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !Public(at.Addr()) || !webPort(at.Port()) || network != "tcp4" && network != "tcp6" {
		return errInside{address}
	}
	return nil
}
