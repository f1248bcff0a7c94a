package folders

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"agentchat/backend/language/bilingual"
)

// system are folders of the computer, not of a person.
var system = map[string][]string{
	"linux":   {"/proc", "/sys", "/dev", "/run", "/boot", "/etc", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/usr", "/opt", "/snap", "/var/lib", "/var/log", "/var/run", "/var/spool", "/lost+found"},
	"darwin":  {"/System", "/Library", "/bin", "/sbin", "/usr", "/etc", "/dev", "/private/etc", "/private/var/db", "/private/var/root", "/Applications", "/cores"},
	"windows": {`C:\Windows`, `C:\Program Files`, `C:\Program Files (x86)`, `C:\ProgramData`, `C:\$Recycle.Bin`, `C:\System Volume Information`},
}

// removable is where Linux puts disks that people plug in; it lies inside a system folder.
const removable = "/run/media"

// forbidden says why a folder may never be opened; nil: it may. The path is real.
func (b *Book) forbidden(real string) *bilingual.Wrong {
	if filepath.Dir(real) == real {
		return new(bilingual.WrongOf("디스크 전체는 열 수 없어요", "a whole disk cannot be opened"))
	}
	if home, err := filepath.EvalSymlinks(b.deps.Home); err == nil && Within(real, home) {
		return new(bilingual.WrongOf("홈 폴더 전체는 열 수 없어요. 그 안의 폴더 하나를 골라 주세요", "your whole home cannot be opened; choose one folder inside it"))
	}
	for _, own := range b.deps.Own {
		if own == "" {
			continue
		}
		if r, err := filepath.EvalSymlinks(own); err == nil {
			own = r
		}
		if Within(real, own) || Within(own, real) {
			return new(bilingual.WrongOf("Agent Chat이 대화와 설정을 두는 곳이에요", "Agent Chat keeps its own data there"))
		}
	}
	for _, s := range system[runtime.GOOS] {
		if (Within(s, real) || real == s) && !(s == "/run" && real != removable && Within(removable, real)) {
			return new(bilingual.WrongOf("컴퓨터가 쓰는 시스템 폴더예요", "it belongs to the system"))
		}
	}
	for _, step := range strings.FieldsFunc(real, func(r rune) bool { return r == '/' || r == filepath.Separator }) {
		if strings.HasPrefix(step, ".") || strings.EqualFold(step, "AppData") {
			return new(bilingual.WrongOf("숨은 폴더는 열 수 없어요", "hidden folders cannot be opened"))
		}
	}
	return nil
}

// Within tells whether a real path is a folder or lies below it.
func Within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// secretNames and secretEnds are files that hold keys and passwords by custom. They stay hidden like those with a dot.
var (
	secretNames = []string{"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "authorized_keys", "known_hosts", "credentials", "credentials.json", "client_secret.json", "secrets.yml", "secrets.yaml", "secrets.json", "wallet.dat", "ntuser.dat", "desktop.ini", "thumbs.db", "npki", "signpri.key", "signcert.der"}
	secretEnds  = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".gpg", ".asc", ".pgp", ".env", ".ovpn", ".rdp"}
)

// Hidden tells whether a file or folder of this name is out of reach: hidden by its dot, or by custom a key or a password.
func Hidden(name string) bool {
	name = strings.ToLower(norm.NFKC.String(name))
	name = strings.TrimRight(name, ". ") // Windows takes no notice of them
	if name == "" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~$") || strings.HasPrefix(name, "$") {
		return true
	}
	for _, s := range secretNames {
		if name == s || strings.HasPrefix(name, s+".") && strings.HasPrefix(s, "id_") {
			return true
		}
	}
	for _, copied := range []string{"~", ".bak", ".old", ".orig", ".txt"} {
		name = strings.TrimSuffix(name, copied)
	}
	return slices.ContainsFunc(secretEnds, func(e string) bool { return strings.HasSuffix(name, e) })
}

// GoodName tells whether a file or a folder may be called that.
func GoodName(name string) bool {
	return name != "" && len(name) <= maxStep && name == strings.TrimSpace(name) && !Hidden(name) && !strings.ContainsAny(name, "/\\\x00") && filepath.IsLocal(name)
}
