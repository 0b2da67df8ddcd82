package generate

import (
	"encoding/json"
	"testing"

	"github.com/taskwright/taskwright/datasets"
)

func TestGenericValue(t *testing.T) {
	tests := []struct{ name, description, path, want string }{
		{"search", "Find documentation.", "/total", "the total number of results"},
		{"search", "Search components, guides, hooks, and API entries.", "/total", "the total number of results"},
		{"list_components", "Lists the custom elements in the design system.", "/total", "the total number of custom elements in the design system"},
		{"search_icons", "Icon search.", "/total", "the total number of icons"},
		{"hash", "Calculate hash or HMAC of a string using MD5, SHA1, SHA256, SHA512, or CRC32.", "/hash", "the hash or HMAC of a string"},
		{"version", "Return the server, docs data, tool, resource, and known manual metadata status.", "/docsVersion", "the docs version of the version"},
		{"color", "Convert colors between HEX, RGB, and HSL formats.", "/rgb", "the rgb when you convert colors"},
		{"get_weather", "Returns structured content along with an output schema.", "/humidity", "the humidity in the structured content"},
		{"cron", "Parse cron expression and return next N execution times.", "/description", "the description when you parse cron expression"},
		{"get_city", "Get a city by name.", "/population", "the population in a city by name"},
	}
	for _, tt := range tests {
		tool := &datasets.Tool{Server: "s", Name: tt.name, Description: tt.description}
		if got := genericValue(tool, tt.path); got != tt.want {
			t.Errorf("genericValue(%s, %s) = %q, want %q", tt.description, tt.path, got, tt.want)
		}
	}
}

func TestGenericArgumentOfOneLetter(t *testing.T) {
	arg := &datasets.Argument{Path: "/a", Source: datasets.SourceConstant, Value: "33"}
	if got := genericArgument(arg, "33"); got != "with a = 33" {
		t.Errorf("got %q", got)
	}
}

func TestTellableTexts(t *testing.T) {
	tests := map[string]bool{
		"Bullfrog": true, "Los Angeles": true, "rgb(51, 102, 204)": true, "The number of days in month is NaN.": false,
		"<noscript>x</noscript>": false, "\"solid\"": false, "\uFFFD\uFFFD-": false, "/tmp/user": false, "/home/user": false,
		"/workspace": false, "/workspace/notes.txt": true, "undefined": false,
	}
	for in, want := range tests {
		if got := tellable(in); got != want {
			t.Errorf("tellable(%q) = %v, want %v", in, got, want)
		}
	}
	if tellable(json.Number("1")) || !tellable(json.Number("17")) {
		t.Error("numbers that any answer holds are not told from others")
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]bool{"The sum of 33 and 204 is 237.": true, "Light rain / drizzle": false, "No. 5": false, "3.1": false} {
		if got := sentence(in); got != want {
			t.Errorf("sentence(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	for in, want := range map[string]bool{"/TMPDIR": true, "/HOME": true, "/XDG_RUNTIME_DIR": true, "/home": false, "/population": false} {
		if got := environment(in); got != want {
			t.Errorf("environment(%q) = %v, want %v", in, got, want)
		}
	}
}

func TestFailedOnDirectories(t *testing.T) {
	doc := map[string]any{"content": "/workspace: Error - EISDIR: illegal operation on a directory, read"}
	if !failed(doc) {
		t.Error("a directory that was read as a file is taken for an answer")
	}
	if failed(map[string]any{"content": "errors are rare"}) {
		t.Error("a text about errors is taken for one")
	}
}

func TestShare(t *testing.T) {
	tests := []struct {
		in   []string
		want string
	}{
		{[]string{"the mean of the revenues of all customers", "the total of the revenues of all customers"}, "the mean and the total of the revenues of all customers"},
		{[]string{"the area of it", "the age of it"}, "the area of it and the age of it"},
		{[]string{"the area of the largest park in Utah", "the distance to Oslo"}, "the area of the largest park in Utah and the distance to Oslo"},
		{[]string{"the days from the birth of Jules Verne to the death of him", "the years from the birth of Jules Verne to the death of him"}, "the days from the birth of Jules Verne to the death of him and the years from the birth of Jules Verne to the death of him"},
		{[]string{"shade 100 of a palette called buoy", "shade 200 of a palette called buoy", "the hue (in degrees) of a palette called buoy"}, "shade 100, shade 200 and the hue (in degrees) of a palette called buoy"},
		{[]string{"which park in Utah is the largest of them all now", "the age of them all now"}, "which park in Utah is the largest of them all now and the age of them all now"},
	}
	for _, tt := range tests {
		if got := enumerate(share(tt.in)); got != tt.want {
			t.Errorf("share(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}
