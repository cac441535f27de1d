package interp

import (
	"math"
	"time"
)

const day = "2006-01-02"

func dateBuiltins() map[string]impl {
	return map[string]impl{
		"now":        func(c *call) (Value, error) { return NewInt(c.w.now().Unix()), nil },
		"now_ms":     func(c *call) (Value, error) { return NewInt(c.w.now().UnixMilli()), nil },
		"today":      func(c *call) (Value, error) { return String(c.w.now().Format(day)), nil },
		"sleep":      builtinSleep,
		"add_days":   addTo(func(t time.Time, n int) time.Time { return t.AddDate(0, 0, n) }),
		"add_months": addTo(addMonths), "days_between": builtinDaysBetween,
		"months_between": builtinMonthsBetween, "days_in_month": builtinDaysInMonth,
		"format_date": builtinFormatDate, "parse_date": builtinParseDate,
	}
}

// now is the injected clock, later by what the program slept.
func (w *World) now() time.Time {
	start := time.Unix(0, 0)
	if w.opts.Clock != nil {
		start = w.opts.Clock()
	}
	return start.Add(w.slept).UTC()
}

// builtinSleep does not wait: it lets the program's clock run ahead.
func builtinSleep(c *call) (Value, error) {
	ms, err := c.small(0)
	if err != nil {
		return nil, err
	}
	if ms < 0 || ms > math.MaxInt32 {
		return nil, errRange("sleep: %s ms", brief(c.args[0]))
	}
	c.w.slept += time.Duration(ms) * time.Millisecond
	return Unit{}, nil
}

// date reads an argument that is a date, maybe with a time after it.
func (c *call) date(i int) (time.Time, error) {
	s, err := c.str(i)
	if err != nil {
		return time.Time{}, err
	}
	for _, layout := range []string{day, time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC().Truncate(24 * time.Hour), nil
		}
	}
	return time.Time{}, errDate(clip(s))
}

const farthest = 4_000_000 // days or months: years stay within four digits' reach

func addTo(add func(t time.Time, n int) time.Time) impl {
	return func(c *call) (Value, error) {
		t, err := c.date(0)
		if err != nil {
			return nil, err
		}
		n, err := c.small(1)
		if err != nil {
			return nil, err
		}
		if n < -farthest || n > farthest {
			return nil, errDate(brief(c.args[0]) + " and " + brief(c.args[1]))
		}
		t = add(t, n)
		if t.Year() < 0 || t.Year() > 9999 {
			return nil, errDate(t.Format(day))
		}
		return String(t.Format(day)), nil
	}
}

// addMonths clamps to the end of the month.
func addMonths(t time.Time, n int) time.Time {
	first := time.Date(t.Year(), t.Month()+time.Month(n), 1, 0, 0, 0, 0, time.UTC)
	last := first.AddDate(0, 1, -1).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

func (c *call) dates() (from, to time.Time, err error) {
	if from, err = c.date(0); err == nil {
		to, err = c.date(1)
	}
	return from, to, err
}

func epochDay(t time.Time) int64 { return t.Unix() / 86400 }

func builtinDaysBetween(c *call) (Value, error) {
	from, to, err := c.dates()
	return NewInt((to.Unix() - from.Unix()) / 86400), err
}

// builtinMonthsBetween counts whole months, towards zero.
func builtinMonthsBetween(c *call) (Value, error) {
	from, to, err := c.dates()
	if err != nil {
		return nil, err
	}
	sign := int64(1)
	if to.Before(from) {
		from, to, sign = to, from, -1
	}
	n := (to.Year()-from.Year())*12 + int(to.Month()) - int(from.Month())
	if addMonths(from, n).After(to) {
		n--
	}
	return NewInt(sign * int64(n)), nil
}

// builtinDaysInMonth takes a year and a month, or a date.
func builtinDaysInMonth(c *call) (Value, error) {
	var year, month int
	if len(c.args) == 1 {
		t, err := c.date(0)
		if err != nil {
			return nil, err
		}
		year, month = t.Year(), int(t.Month())
	} else {
		var err error
		if year, err = c.small(0); err != nil {
			return nil, err
		}
		if month, err = c.small(1); err != nil {
			return nil, err
		}
	}
	if month < 1 || month > 12 || year < 0 || year > 9999 {
		return nil, errDate(brief(NewList(c.args...)))
	}
	return NewInt(int64(time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day())), nil
}

// builtinFormatDate formats seconds since 1970 or a date. In the format YYYY MM DD HH mm ss
// stand for the parts.
func builtinFormatDate(c *call) (Value, error) {
	var t time.Time
	var err error
	if n, ok := c.args[0].(Int); ok {
		seconds, fits := n.Int64()
		if !fits || seconds < -62167219200 || seconds > 253402300799 {
			return nil, errDate(n.String())
		}
		t = time.Unix(seconds, 0).UTC()
	} else if t, err = c.date(0); err != nil {
		return nil, err
	}
	layout := day
	if c.has(1) {
		format, err := c.str(1)
		if err != nil {
			return nil, err
		}
		return String(formatTime(t, format)), nil
	}
	return String(t.Format(layout)), nil
}

func formatTime(t time.Time, format string) string {
	parts := []struct{ word, layout string }{
		{"YYYY", "2006"}, {"MM", "01"}, {"DD", "02"}, {"HH", "15"}, {"mm", "04"}, {"ss", "05"},
	}
	out := ""
scan:
	for format != "" {
		for _, p := range parts {
			if len(format) >= len(p.word) && format[:len(p.word)] == p.word {
				out += t.Format(p.layout)
				format = format[len(p.word):]
				continue scan
			}
		}
		out += format[:1]
		format = format[1:]
	}
	return out
}

// builtinParseDate gives the parts of a date; weekday is 1 for Monday to 7 for Sunday.
func builtinParseDate(c *call) (Value, error) {
	t, err := c.date(0)
	if err != nil {
		return nil, err
	}
	weekday := int64(t.Weekday())
	if weekday == 0 {
		weekday = 7
	}
	return MapOf("year", NewInt(int64(t.Year())), "month", NewInt(int64(t.Month())), "day", NewInt(int64(t.Day())),
		"weekday", NewInt(weekday), "epoch_day", NewInt(epochDay(t))), nil
}
