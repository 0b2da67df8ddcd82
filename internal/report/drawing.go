package report

// Size of a drawn chain, in SVG units.
const (
	boxWidth  = 168
	boxHeight = 38
	gapX      = 44
	gapY      = 14
	maxBoxes  = 40
)

// picture is the drawing of a chain: boxes in columns by round, and lines from
// a step to those that it feeds.
type picture struct {
	Width, Height int
	Boxes         []box
	Lines         []line
}

type box struct {
	X, Y          int
	Number        int
	Server, Label string
	Title         string
}

// line is a curve from the right of one box to the left of another.
type line struct{ X1, Y1, X2, Y2, MX int }

// drawing lays a chain out; a longer one than maxBoxes is not drawn.
func drawing(steps []StepView) picture {
	var p picture
	if len(steps) > maxBoxes {
		return p
	}
	rows := map[int]int{}
	for _, s := range steps {
		b := box{X: 1 + (s.Wave-1)*(boxWidth+gapX), Y: 1 + rows[s.Wave]*(boxHeight+gapY), Number: s.Number, Title: s.Tool}
		rows[s.Wave]++
		b.Server, b.Label = halves(s.Tool)
		p.Boxes = append(p.Boxes, b)
		p.Width = max(p.Width, b.X+boxWidth+1)
		p.Height = max(p.Height, b.Y+boxHeight+1)
		for _, from := range s.After {
			a := p.Boxes[from-1]
			l := line{X1: a.X + boxWidth, Y1: a.Y + boxHeight/2, X2: b.X, Y2: b.Y + boxHeight/2}
			l.MX = (l.X1 + l.X2) / 2
			p.Lines = append(p.Lines, l)
		}
	}
	return p
}

// halves splits "server/tool" into two short labels.
func halves(tool string) (server, name string) {
	for i := range tool {
		if tool[i] == '/' {
			return shorten(tool[:i]), shorten(tool[i+1:])
		}
	}
	return "", shorten(tool)
}

func shorten(s string) string {
	if runes := []rune(s); len(runes) > 21 {
		return string(runes[:20]) + "…"
	}
	return s
}
