// Command headless is the shop without a window: commands come in on standard input and events go out on standard
// output, one JSON object a line. It needs no cgo and no system package.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"agentchat/backend/apperr"
	"agentchat/backend/cli"
	"agentchat/backend/config"
	"agentchat/backend/diagnose"
	"agentchat/backend/engine"
	"agentchat/backend/front"
	"agentchat/backend/language/bilingual"
	"agentchat/backend/outbound"
	"agentchat/backend/shop"
)

func main() {
	outbound.Seal()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func run(args []string, in io.Reader, out io.Writer, errOut *os.File) int {
	if code, done := cli.Main(commandLine(in, out, errOut), args); done {
		return code
	}
	flags := flag.NewFlagSet("agentchat-headless", flag.ContinueOnError)
	flags.SetOutput(errOut)
	given := config.RegisterFlags(flags)
	asked := diagnose.RegisterFlags(flags)
	damaged := flags.String("damaged", "", "what to do about a damaged data file: restore (the newest backup) or fresh; it is kept beside")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if done, code := asked.Answer(out, errOut, func() ([]diagnose.Part, error) {
		return shop.Diagnose(context.Background(), config.Options{Flags: given()})
	}); done {
		return code
	}
	if flags.NArg() > 0 {
		_, _ = fmt.Fprintf(errOut, "agentchat-headless: what is %q? See `agentchat-headless help`; without a command, they come on standard input.\n", flags.Arg(0))
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	options := shop.Options{Config: config.Options{Flags: given()}, Console: errOut, Crashes: true, Engine: engine.Find()}
	switch remedy := shop.Remedy(*damaged); remedy {
	case shop.RemedyNone, shop.RemedyRestore, shop.RemedyFresh:
		options.Damaged = remedy
	default:
		_, _ = fmt.Fprintf(errOut, "agentchat-headless: --damaged is restore or fresh, not %q.\n", remedy)
		return 2
	}
	furnish(&options)
	s, err := shop.Open(ctx, options)
	if err != nil {
		e := apperr.From(err)
		_, _ = fmt.Fprintf(errOut, "%s: %s\n%s\n", e.Code, e.Text(bilingual.EN), e.Text(bilingual.KO))
		if e.Code == apperr.StorageCorrupt {
			_, _ = fmt.Fprintln(errOut, "--damaged restore goes on with the newest backup, --damaged fresh begins anew; either keeps the damaged file beside.")
		}
		return 1
	}
	front.Serve(ctx, s, in, out)
	return 0
}

// commandLine is this program as its commands see it.
func commandLine(in io.Reader, out io.Writer, errOut *os.File) cli.Program {
	input, _ := in.(*os.File)
	return cli.Program{
		Name: "agentchat-headless", In: input, Out: out, Err: errOut,
		Open: func(ctx context.Context, c config.Options) (cli.Opened, error) {
			options := shop.Options{Config: c, Crashes: true}
			furnish(&options)
			return front.Open(ctx, options)
		},
	}
}
