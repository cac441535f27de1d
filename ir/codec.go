package ir

import (
	"bytes"
	"encoding/json"
	"io"

	"soma.cell/frontend/source"

	"soma.cell/smt/term"
)

// MaxEncoded bounds the documents that Decode reads, in bytes.
const MaxEncoded = 16 << 20

// maxLocs bounds the locations of one automaton.
const maxLocs = 1 << 20

// maxMembers bounds the cells of a system, and the slots, rules, signals and automata of a cell:
// names are looked up by going through them.
const maxMembers = 1 << 10

// maxAssigned bounds locations × variables of one automaton, which Validate notes in bits.
const maxAssigned = 1 << 30

// Encode writes a system as one JSON document without white space, the same bytes for the same
// system. It fails where the system holds what Decode would not read back: a missing or
// ill-sorted term, an unknown effect.
func Encode(s *System) ([]byte, error) {
	e := &encoder{bank: term.NewBank(), files: map[*source.File]int{}}
	doc := e.system(s)
	if e.err != nil {
		return nil, e.err
	}
	return marshal(doc)
}

func marshal(doc wireSystem) ([]byte, error) {
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetEscapeHTML(false)
	if err := out.Encode(doc); err != nil {
		return nil, errEncode(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Decode reads what Encode wrote and nothing else: a document that another spelling, an unknown,
// repeated or superfluous field, or an unused term sets apart from what Encode would write is
// refused, white space and escapes excepted, and so is a system that Validate refuses. The spans
// of the result lie in files that have a name and no text.
func Decode(data []byte) (*System, error) {
	if len(data) > MaxEncoded {
		return nil, errTooLarge(len(data))
	}
	var doc wireSystem
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(&doc); err != nil {
		return nil, errDecode(err)
	}
	s, err := decodeSystem(doc)
	if err != nil {
		return nil, err
	}
	if err := Validate(s); err != nil {
		return nil, err
	}
	again, err := Encode(s)
	if err != nil {
		return nil, err
	}
	if err := sameTokens(data, again); err != nil {
		return nil, err
	}
	return s, nil
}

// sameTokens compares two JSON documents but for white space and escapes. It sees the order and
// the repetition of fields, which json.Unmarshal does not.
func sameTokens(got, want []byte) error {
	a, b := json.NewDecoder(bytes.NewReader(got)), json.NewDecoder(bytes.NewReader(want))
	a.UseNumber()
	b.UseNumber()
	for {
		x, errX := a.Token()
		y, errY := b.Token()
		switch {
		case errX == io.EOF && errY == io.EOF:
			return nil
		case errX != nil || errY != nil || x != y:
			return errNotCanonical(a.InputOffset())
		}
	}
}
