// Stock fills a data folder with jobs that have ended, as a shop of years has them: go run ./e2e/stock FOLDER HOW-MANY.
package main

import (
	"fmt"
	"os"
	"strconv"

	"agentchat/backend/testing/ledgertest"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "stock FOLDER HOW-MANY")
		os.Exit(2)
	}
	n, err := strconv.Atoi(os.Args[2])
	if err == nil {
		err = ledgertest.Stock(os.Args[1], n)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
