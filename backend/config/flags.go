package config

import "flag"

// RegisterFlags declares the settings' flags. After fs is parsed, the returned function gives the flags that were on the
// command line, by settings key, for Options.Flags. Values are checked by Load, which knows how to say what is wrong.
func RegisterFlags(fs *flag.FlagSet) (given func() map[string]string) {
	values := map[string]string{}
	for _, row := range table(host{}) {
		if row.flag == "" {
			continue
		}
		fs.Func(row.flag, row.help.EN, func(value string) error {
			values[row.key] = value
			return nil
		})
	}
	return func() map[string]string { return values }
}
