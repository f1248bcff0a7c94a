package mcp

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"agentchat/backend/apperr"
	"agentchat/backend/privatefile"
)

// inBundles stands in mcp.json for the folder where bundles are unpacked, so that the file and the bundles may move together.
const inBundles = "${" + bundlesFolder + "}/"

// BundleFile tells which file of the data folder a command of mcp.json, as it is written there, is when it came with a bundle. The name has slashes.
func BundleFile(command string) (name string, ok bool) {
	inside, ok := strings.CutPrefix(command, inBundles)
	return bundlesFolder + "/" + filepath.ToSlash(inside), ok
}

// bundles is the folder where bundles are unpacked, with the separator behind it.
func (m *Mounts) bundles() string {
	return filepath.Join(filepath.Dir(m.opt.File), bundlesFolder) + string(filepath.Separator)
}

// expand has the folder of bundles stand in a text of mcp.json as it is called now.
func (m *Mounts) expand(text []byte) []byte {
	return bytes.ReplaceAll(text, []byte(inBundles), inJSON(m.bundles(), true))
}

// contract is the opposite of expand.
func (m *Mounts) contract(text []byte) []byte {
	for _, escaped := range []bool{true, false} {
		text = bytes.ReplaceAll(text, inJSON(m.bundles(), escaped), []byte(inBundles))
	}
	return text
}

// inJSON is a text as it stands within the quotes of JSON. There are two ways to write some of its signs.
func inJSON(text string, escaped bool) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(escaped)
	_ = enc.Encode(text) // a text can be written
	return bytes.Trim(bytes.TrimSpace(b.Bytes()), `"`)
}

// write replaces mcp.json. Errors: storage errors.
func (m *Mounts) write(text []byte) error {
	if err := privatefile.Write(m.opt.File, m.contract(text)); err != nil {
		return apperr.Wrap(err, apperr.StorageFailed)
	}
	return nil
}

// unpin writes mcp.json anew when it names the folder of bundles by its path, as it did once.
func (m *Mounts) unpin() {
	text, err := os.ReadFile(m.opt.File)
	if err != nil || bytes.Equal(m.contract(text), text) {
		return
	}
	if err := m.write(text); err != nil {
		m.opt.Log.Warn().Err(err).Msg("mcp.json still names the folder of bundles by its path")
	}
}
