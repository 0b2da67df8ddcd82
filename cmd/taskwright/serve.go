package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/taskwright/taskwright/internal/world"
)

func newServeCommand(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "serve NAME",
		Short: "Run an embedded server over stdio, for any MCP client",
		Long: `Serve runs an embedded MCP server on standard input and output until the input
ends. Its names: ` + strings.Join(world.Names(), ", ") + `.

In the mcp.json of a client:

  {"mcpServers": {"parks": {"command": "taskwright", "args": ["serve", "parks"]}}}`,
		Example:   "  taskwright serve parks",
		ValidArgs: world.Names(),
		Args:      serverName,
		RunE: func(cmd *cobra.Command, args []string) error {
			if e.json {
				return misuse(cmd, "--json: standard output is the server's")
			}
			return wrap("serving "+args[0], world.Serve(cmd.Context(), args[0], e.stdin, e.stdout))
		},
	}
}

// serverName checks that the one argument is an embedded server.
func serverName(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return misuse(cmd, "%s needs the name of a server: %s", cmd.CommandPath(), strings.Join(cmd.ValidArgs, ", "))
	}
	if err := exactly("a server")(cmd, args); err != nil {
		return err
	}
	if slices.Contains(cmd.ValidArgs, args[0]) {
		return nil
	}
	var near []string
	for _, name := range cmd.ValidArgs {
		if distance(args[0], name) <= 2 || strings.HasPrefix(name, args[0]) {
			near = append(near, name)
		}
	}
	if len(near) == 0 {
		return misuse(cmd, "no embedded server %q; there are %s", args[0], strings.Join(cmd.ValidArgs, ", "))
	}
	return misuse(cmd, "%s", fmt.Sprintf("no embedded server %q%s", args[0], didYouMean(near)))
}
