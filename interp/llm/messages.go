package llm

// The wording of every error of this package stands here.
const (
	noModel      = "no model is named: set SOMA_LLM_MODEL or [agent] model in soma.toml"
	noURL        = "%q is no URL of http or https: set SOMA_LLM_URL or [agent] url in soma.toml"
	timedOut     = "timeout: the model did not answer within %d ms"
	tooManyCalls = "the model called tools more than %d times (option max_rounds)"
	noSuchTool   = "there is no tool %q"
	badArguments = "the arguments are no JSON object: %v"
	badStatus    = "the model's service answers with status %d%s"
	waitTooLong  = "; it asks to wait %d s, longer than the question may take"
	unreachable  = "the model's service cannot be reached: %v"
	notJSON      = "the model's service answers with something that is no chat completion: %s"
	tooLarge     = "the model's service answers with more than %d bytes"
	noChoices    = "the model's service answers with nothing"
	refused      = "the model refuses: %s"
	filtered     = "the model's answer was withheld by the service's content filter"
	onlyJSON     = "Answer with one JSON object and nothing else."
)
