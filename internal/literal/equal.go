package literal

// Equal says that two literals mean the same: quantities after conversion,
// dates in any format, a day without year and the same day with one.
func Equal(a, b Literal) bool {
	switch {
	case numberKind(a.Kind) && numberKind(b.Kind):
		return equalNumbers(a, b)
	case a.Kind == b.Kind && a.Norm == b.Norm:
		return true
	case dateKind(a.Kind) && dateKind(b.Kind):
		return SameTime(a.When, b.When)
	case a.Kind == Code && b.Kind == Quoted || a.Kind == Quoted && b.Kind == Code || a.Kind == Quoted && b.Kind == Name || a.Kind == Name && b.Kind == Quoted:
		return a.Norm == b.Norm
	}
	return false
}

func numberKind(k Kind) bool { return k == Number || k == Ordinal || k == Quantity || k == Money }
func dateKind(k Kind) bool   { return k == Date || k == DateTime || k == Time || k == Month }

func equalNumbers(a, b Literal) bool {
	if near(a.Value, b.Value) && (a.Unit == "" || b.Unit == "" || SameUnit(a.Unit, b.Unit)) {
		return a.Unit != "" || b.Unit != "" || a.Norm == b.Norm || len(a.Digits) < 16
	}
	if a.Alt.Valid && near(a.Alt.Value, b.Value) || b.Alt.Valid && near(b.Alt.Value, a.Value) {
		return true
	}
	if v, ok := Convert(a.Value, a.Unit, b.Unit); ok {
		return alike(v, b.Value)
	}
	return a.Unit == "" && b.converts(a.Value, "") || b.Unit == "" && a.converts(b.Value, "")
}

// SameTime says that two times can be the same: every part that both state
// agrees, and neither lacks a day or clock that the other has.
func SameTime(a, b When) bool {
	if a.Clock >= 0 && b.Clock >= 0 && a.Zoned && b.Zoned && a.Day > 0 && b.Day > 0 {
		return minutes(a) == minutes(b) && a.Clock%60 == b.Clock%60
	}
	if (a.Clock >= 0) != (b.Clock >= 0) || a.Clock >= 0 && a.Clock != b.Clock {
		return false
	}
	if a.Year > 0 && b.Year > 0 && a.Year != b.Year {
		return false
	}
	same := a.Month == b.Month && a.Day == b.Day
	return same || (a.Swappable || b.Swappable) && a.Month == b.Day && a.Day == b.Month
}

// minutes counts from a fixed day, in UTC.
func minutes(w When) int {
	y, m := w.Year, w.Month
	if m <= 2 {
		y, m = y-1, m+12
	}
	days := 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + w.Day
	return days*1440 + w.Clock/60 - w.Offset
}
