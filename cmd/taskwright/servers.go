package main

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/taskwright/taskwright/internal/mcpclient"
	"github.com/taskwright/taskwright/internal/tape"
	"github.com/taskwright/taskwright/internal/world"
)

var _ tape.Live = (*mcpclient.Fleet)(nil)

// serverConfigs are the servers of an mcp.json file, or the embedded ones when
// no file is named.
func (e *env) serverConfigs(file string) ([]mcpclient.Config, error) {
	if file != "" {
		return mcpclient.ReadConfig(file, e.getenv)
	}
	var configs []mcpclient.Config
	for _, name := range world.Names() {
		configs = append(configs, mcpclient.InMemory(name, func() *mcp.Server {
			s, err := world.New(name)
			if err != nil {
				panic(err) // the name is one of those that it listed
			}
			return s
		}))
	}
	return configs, nil
}
