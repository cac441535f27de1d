package syntax

// kind is the kind of a token.
type kind uint8

const (
	tokEOF  kind = iota
	tokJunk      // a character without meaning; see token.fault
	tokWord      // a word that starts with a small letter or _
	tokCap       // a word that starts with a capital
	tokInt
	tokFloat
	tokDuration
	tokString
	tokLBrace
	tokRBrace
	tokLParen
	tokRParen
	tokLBracket
	tokRBracket
	tokComma
	tokColon
	tokPath // ::
	tokDot
	tokRange // ..
	tokQuestion
	tokArrow    // ->
	tokFatArrow // =>
	tokAssign
	tokAddAssign
	tokSubAssign
	tokMulAssign
	tokDivAssign
	tokPipe // |>
	tokOr
	tokAnd
	tokCoalesce
	tokEq
	tokNe
	tokStrictEq // ===, reported by the parser
	tokStrictNe // !==
	tokLt
	tokLe
	tokGt
	tokGe
	tokAdd
	tokSub
	tokMul
	tokDiv
	tokRem
	tokNot
	tokSemi
)

// fault is what is wrong with a token whose kind is still clear.
type fault uint8

const (
	noFault fault = iota
	badCharacter
	badSingleQuote
	badNumber
	badUnit
	openString
	openComment
)

// token is a lexical unit. Start and end are byte offsets into the text of its lexer.
type token struct {
	kind       kind
	fault      fault
	newline    bool // first token on its line
	triple     bool // of a string: """…"""
	start, end int
}

// punctuation lists the operators; of two with a common start the longer comes first.
var punctuation = []struct {
	text string
	kind kind
}{
	{"===", tokStrictEq}, {"!==", tokStrictNe},
	{"::", tokPath}, {"..", tokRange}, {"->", tokArrow}, {"=>", tokFatArrow},
	{"+=", tokAddAssign}, {"-=", tokSubAssign}, {"*=", tokMulAssign}, {"/=", tokDivAssign},
	{"|>", tokPipe}, {"||", tokOr}, {"&&", tokAnd}, {"??", tokCoalesce},
	{"==", tokEq}, {"!=", tokNe}, {"<=", tokLe}, {">=", tokGe},
	{":", tokColon}, {".", tokDot}, {"?", tokQuestion}, {"=", tokAssign}, {"<", tokLt},
	{">", tokGt}, {"+", tokAdd}, {"-", tokSub}, {"*", tokMul}, {"/", tokDiv}, {"%", tokRem},
	{"!", tokNot}, {";", tokSemi},
}

// brackets are the operators that are the start of no other.
var brackets = [128]kind{
	'{': tokLBrace, '}': tokRBrace, '(': tokLParen, ')': tokRParen,
	'[': tokLBracket, ']': tokRBracket, ',': tokComma,
}

// reserved holds the words that are never names.
var reserved = map[string]bool{
	"let": true, "if": true, "else": true, "for": true, "while": true, "return": true,
	"break": true, "continue": true, "try": true, "match": true, "require": true,
	"ensure": true, "emit": true, "true": true, "false": true, "in": true, "on": true,
	"given": true, "cell": true,
}

// Reserved tells whether a word is never a name.
func Reserved(word string) bool { return reserved[word] }
