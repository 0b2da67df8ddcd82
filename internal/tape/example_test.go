package tape_test

import (
	"context"
	"fmt"

	"github.com/taskwright/taskwright/internal/tape"
	"github.com/taskwright/taskwright/internal/tape/tapetest"
)

// A call goes to the live server once; then the tape answers, and a tape
// loaded elsewhere needs no server at all.
func Example() {
	ctx := context.Background()
	recorder := tape.New(tape.Options{Live: &tapetest.Live{Answer: echo}})
	session := recorder.Open()
	defer session.Close()
	for range 2 {
		call, hit, err := session.Call(ctx, "echo", "say", `{"word": "hello"}`)
		fmt.Println(call.Result.Text, hit, err)
	}

	player := tape.New(tape.Options{})
	for _, call := range recorder.Calls() {
		player.Add(call)
	}
	offline := player.Open()
	defer offline.Close()
	call, hit, err := offline.Call(ctx, "echo", "say", `{"word": "hello"}`)
	fmt.Println(call.Result.Text, hit, err)
	_, _, err = offline.Call(ctx, "echo", "say", `{"word": "bye"}`)
	fmt.Println(err)
	// Output:
	// say {"word":"hello"} false <nil>
	// say {"word":"hello"} true <nil>
	// say {"word":"hello"} true <nil>
	// no recorded answer for echo/say {"word":"bye"}
}
