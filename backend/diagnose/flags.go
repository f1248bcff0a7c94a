package diagnose

import (
	"flag"
	"fmt"
	"io"
	"time"

	"agentchat/backend/about"
)

// Asked is what a command line asks of the program itself, instead of starting it.
type Asked struct {
	version, licences, diagnose *bool
	save                        *string
}

// RegisterFlags declares the flags that both fronts have for it.
func RegisterFlags(fs *flag.FlagSet) Asked {
	return Asked{
		fs.Bool("version", false, "Prints the version and ends."),
		fs.Bool("licences", false, "Prints the licences of everything that the program carries and ends."),
		fs.Bool("diagnose", false, "Prints a diagnostic report without words or secrets, and ends. Nothing is sent."),
		fs.String("save", "", "With --diagnose: writes what was printed into this zip file, too."),
	}
}

// Answer does what was asked. report makes the report. done is false when nothing was asked; code is the program's exit code.
func (a Asked) Answer(out, wrong io.Writer, report func() ([]Part, error)) (done bool, code int) {
	var err error
	switch {
	case *a.version:
		_, err = fmt.Fprintln(out, "agentchat", about.Line())
	case *a.licences:
		err = about.WriteDocument(out)
	case *a.diagnose:
		err = a.tell(out, report)
	default:
		return false, 0
	}
	if err != nil {
		_, _ = fmt.Fprintln(wrong, err)
		return true, 1
	}
	return true, 0
}

func (a Asked) tell(out io.Writer, report func() ([]Part, error)) error {
	parts, err := report()
	if err != nil {
		return err
	}
	if err := Print(out, parts); err != nil {
		return err
	}
	said := "This is all there is. Nothing was saved or sent; with --save FILE.zip it is saved.\n이게 전부예요. 저장하거나 보낸 것은 없어요. --save 파일.zip을 주면 저장해요."
	if *a.save != "" {
		if err := Save(*a.save, parts, time.Now()); err != nil {
			return err
		}
		said = "This is all there is. It was saved as " + *a.save + " and sent to nobody.\n이게 전부예요. " + *a.save + "에 저장했고, 아무 데도 보내지 않았어요."
	}
	_, err = fmt.Fprintln(out, said)
	return err
}
