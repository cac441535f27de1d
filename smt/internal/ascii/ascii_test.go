package ascii

import (
	"testing"

	"pgregory.net/rapid"
)

func anyText() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.StringOfN(rapid.RuneFrom([]rune(`%4\"|AB`)), 0, 8, -1))
}

func TestEncodeIsAnInjectiveHomomorphism(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyText().Draw(t, "a"), anyText().Draw(t, "b")
		code := Encode(a)
		for _, c := range []byte(code) {
			if c != '%' && !plain(c) {
				t.Fatalf("the code of %q holds %q", a, c)
			}
		}
		if back, ok := Decode(code); !ok || back != a {
			t.Fatalf("%q comes back as %q", a, back)
		}
		if Encode(a+b) != code+Encode(b) {
			t.Fatalf("the code of %q does not end in the code of %q", a+b, b)
		}
	})
}

func TestDecodeRefusesWhatEncodeNeverMakes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		code := anyText().Draw(t, "code")
		if s, ok := Decode(code); ok && Encode(s) != code {
			t.Fatalf("%q and %q both decode to %q", code, Encode(s), s)
		}
	})
	for _, code := range []string{"%", "%4", "%41", "%0g", "%0a", "é", "\x00", `\u{41}`, `"`} {
		if s, ok := Decode(code); ok {
			t.Errorf("%q decodes to %q", code, s)
		}
	}
}

func TestEncodeKnown(t *testing.T) {
	for text, code := range map[string]string{
		"": "", "Az 09!": "Az 09!", "%": "%25", `\u{41}`: "%5Cu{41}", "é\x00": "%C3%A9%00", `"|`: "%22%7C",
	} {
		if got := Encode(text); got != code {
			t.Errorf("Encode(%q) is %q, want %q", text, got, code)
		}
	}
}
