package taint

// env is what each variable holds, by its number. It is never changed in place: with gives
// another, which shares with the old one all chunks but that of the variable, so that the states
// of a long body cost little more than what its effects change.
type env []*chunk

const chunkSize = 128

type chunk [chunkSize]value

func newEnv(variables int) env {
	e := make(env, (variables+chunkSize-1)/chunkSize)
	for i := range e {
		e[i] = &chunk{}
	}
	return e
}

func (e env) at(v int) value { return e[v/chunkSize][v%chunkSize] }

// with is the env in which the variable holds x.
func (e env) with(v int, x value) env {
	if e.at(v) == x {
		return e
	}
	out := append(env(nil), e...)
	changed := *e[v/chunkSize]
	changed[v%chunkSize] = x
	out[v/chunkSize] = &changed
	return out
}

// sameChunk tells whether a variable and its neighbours are shared by all of several envs, which
// then agree on them.
func sameChunk(ins []*state, v int) bool {
	for _, in := range ins[1:] {
		if in.env[v/chunkSize] != ins[0].env[v/chunkSize] {
			return false
		}
	}
	return true
}
