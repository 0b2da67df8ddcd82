package main

import (
	"context"
	"fmt"

	"github.com/taskwright/taskwright/datasets"
	"github.com/taskwright/taskwright/internal/mcpclient"
)

// examineServers starts the servers and lists their tools: those of --servers,
// else of the settings, else the embedded ones. It calls no tool.
func examineServers(ctx context.Context, e *env, o doctorOptions) ([]finding, error) {
	const name = "servers"
	file := o.servers
	if file == "" {
		if s, err := loadSettings(o.dir); err == nil { // a fault in them is another finding
			file = s.Servers
		}
	}
	configs, err := e.serverConfigs(file)
	if err != nil {
		return []finding{{name, broken, err.Error()}}, nil
	}
	if len(configs) == 0 {
		return []finding{{name, doubtful, file + " lists no server"}}, nil
	}
	fleet := mcpclient.Open(ctx, configs, &mcpclient.Options{Getenv: e.getenv})
	servers, _ := fleet.Catalog(ctx)
	closing := fleet.Close()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if closing != nil {
		return []finding{{name, broken, closing.Error()}}, nil
	}
	if file == "" {
		return []finding{embedded(servers)}, nil
	}
	var findings []finding
	for _, s := range servers {
		findings = append(findings, examined(s))
	}
	return findings, nil
}

func examined(s datasets.Server) finding {
	f := finding{"server " + s.Name, healthy, fmt.Sprintf("%d tools over %s", s.Tools, s.Transport)}
	switch {
	case s.Status != datasets.ServerOK:
		f.Status, f.Detail = broken, s.Error
	case len(s.Warnings) > 0:
		f.Status, f.Detail = doubtful, fmt.Sprintf("%s; %s", f.Detail, s.Warnings[0])
	}
	return f
}

// embedded sums up the servers that are part of the program.
func embedded(servers []datasets.Server) finding {
	tools := 0
	for _, s := range servers {
		if f := examined(s); f.Status == broken {
			return f
		}
		tools += int(s.Tools)
	}
	return finding{"servers", healthy, fmt.Sprintf("%d embedded servers with %d tools", len(servers), tools)}
}
