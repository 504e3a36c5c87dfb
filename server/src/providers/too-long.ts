// A prompt that is longer than the model's window, as providers say it. Only some have a code for it.
import type { Reason } from '@parley/schema/reasons';

/** OpenAI, Azure, Groq and those that follow them; llama.cpp. */
const CODES: ReadonlySet<string> = new Set(['context_length_exceeded', 'exceed_context_size_error']);

const SENTENCES: readonly RegExp[] = [
  // OpenAI, Azure, OpenRouter, DeepSeek, vLLM: "This model's maximum context length is 4097 tokens. However, your
  // messages resulted in 4619 tokens." (github.com/ChatGPTNextWeb/NextChat/issues/625). Mistral ends with the words.
  /maximum context length/i,
  // OpenAI's Responses: "Your input exceeds the context window of this model."
  /exceeds the context window/i,
  // Anthropic: "prompt is too long: 200251 tokens > 200000 maximum" (github.com/boldsoftware/exe.dev/issues/62), and
  // "input length and `max_tokens` exceed context limit: 199211 + 20000 > 200000". Bedrock: "Input is too long".
  /prompt is too long|exceed context limit|input is too long/i,
  // Google: "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576)."
  // (github.com/google-gemini/gemini-cli/issues/6678)
  /input token count/i,
  // Cohere: "too many tokens: total number of tokens (prompt and prediction) cannot exceed 2048 - received 6354."
  // (github.com/cohere-ai/sandbox-topically/issues/4)
  /too many tokens: total number/i,
  // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
  /maximum prompt length/i,
  // llama.cpp: "the request exceeds the available context size (4096 tokens), try increasing it"
  /exceeds the available context size/i,
];

const WINDOW =
  /(?:maximum (?:context|prompt) length (?:is|of) |allowed \(|cannot exceed |tokens > |model with |context size \()(\d{3,9})/i;
const TOKENS =
  /(?:resulted in |requested about |you requested |too long: |token count \(|request contains |prompt contains |received )(\d{3,9})/i;

/** The reason when the text says so, with the numbers that it names. */
export function tooLongReason({ code, text }: { code: string; text: string }): Reason | undefined {
  if (!CODES.has(code) && !SENTENCES.some((sentence) => sentence.test(text))) return undefined;
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? NaN);
  const [tokens, window] = [number(TOKENS), number(WINDOW)];
  return tokens > window
    ? { type: 'context_too_long', tokens, window }
    : { type: 'context_too_long', tokens: null, window: null };
}
