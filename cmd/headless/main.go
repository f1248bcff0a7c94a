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
	"agentchat/backend/config"
	"agentchat/backend/shop"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, in io.Reader, out io.Writer, errOut *os.File) int {
	flags := flag.NewFlagSet("agentchat-headless", flag.ContinueOnError)
	flags.SetOutput(errOut)
	given := config.RegisterFlags(flags)
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		_, _ = fmt.Fprintf(errOut, "agentchat-headless: what is %q? Flags only; commands come on standard input.\n", flags.Arg(0))
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	options := shop.Options{Config: config.Options{Flags: given()}, Console: errOut}
	furnish(&options)
	s, err := shop.Open(ctx, options)
	if err != nil {
		e := apperr.From(err)
		_, _ = fmt.Fprintf(errOut, "%s: %s\n%s\n", e.Code, e.Text(apperr.EN), e.Text(apperr.KO))
		return 1
	}
	f := newFront(s, out)
	f.serve(ctx, in)
	return 0
}
