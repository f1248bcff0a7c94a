package toolbox_test

import (
	"fmt"
	"time"

	"agentchat/backend/toolbox"
)

func Example() {
	box, err := toolbox.New(&recorder{}, toolbox.Options{
		Now: time.Now, NewID: func() string { return "lease" },
		Title:   func(job string) string { return "the job " + job },
		OnReady: func(job string) { fmt.Println(job, "may have it now") },
	})
	if err != nil {
		panic(err)
	}
	if err := box.Register(plain("nav", toolbox.MonitorBox, 1), plain("movie", toolbox.MonitorBox, 1)); err != nil {
		panic(err)
	}
	_, locked, err := box.Acquire("a", "nav")
	fmt.Println("a has the map:", locked == nil, err)
	_, locked, err = box.Acquire("b", "movie") // they share a monitor
	fmt.Println("b is told who is in the way:", locked.Holders[0].JobID, err)
	place, _, err := box.Wait("b", "movie")
	fmt.Println("b stands in line:", place, err)
	fmt.Println("a brings back:", box.ReleaseJob("a"))
	// Output:
	// a has the map: true <nil>
	// b is told who is in the way: a <nil>
	// b stands in line: 1 <nil>
	// b may have it now
	// a brings back: 1
}
