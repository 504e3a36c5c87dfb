// What the lists of providers tell of a model beside its name. All of it is optional, and what makes no sense counts as
// not told: no list fails because of it.
import * as z from 'zod';
import type { ModelFacts } from './models.ts';

/** In tokens; more than this no model has. */
const WINDOW_MAX = 100_000_000;
/** Credits a token. A price above it was meant for a million tokens, or in another currency. */
const RATE_MAX = 10_000;
/** Credits in a US dollar (C.8 of the REST facts). */
const DOLLAR = 1_000_000;

const Window = z.int().min(1).max(WINDOW_MAX).optional().catch(undefined);

/** US dollars a token, as OpenRouter writes them: "0.0000006". */
const Price = z
  .string()
  .regex(/^\d+(\.\d+)?(e-?\d+)?$/i)
  // 0.0000006 * 1,000,000 is a hair less than 0.6 in binary.
  .transform((dollars) => Number((Number(dollars) * DOLLAR).toFixed(6)))
  .pipe(z.number().max(RATE_MAX));

const Pricing = z.object({ prompt: Price, completion: Price }).optional().catch(undefined);

/** By the names that OpenRouter, Groq, vLLM, Mistral and Anthropic have for the same. */
const Told = z.object({
  context_length: Window,
  context_window: Window,
  max_model_len: Window,
  max_context_length: Window,
  max_input_tokens: Window,
  pricing: Pricing,
});

/** Of an entry of a list as OpenAI has it. */
export function factsInEntry(entry: unknown): ModelFacts {
  const { data } = Told.safeParse(entry);
  if (!data) return {};
  const { pricing: rates, context_length, context_window, max_model_len, max_context_length, max_input_tokens } = data;
  const window = context_length ?? context_window ?? max_model_len ?? max_context_length ?? max_input_tokens;
  return { ...(window !== undefined && { window }), ...(rates && { rates }) };
}

/** Of an entry of Gemini's. */
export function factsOfGemini(entry: { [name: string]: unknown }): ModelFacts {
  return windowIn(entry.inputTokenLimit);
}

const Shown = z.object({
  parameters: z.string().catch(''),
  model_info: z.record(z.string(), z.unknown()).catch({}),
});

/**
 * What Ollama gives a model on a common machine unless it is told otherwise, in tokens. Its OpenAI wire has no word for
 * the window, and what goes beyond is cut without a word: a window is no larger than what is known to be given.
 */
const OLLAMA_USUAL = 4096;

/** Of what Ollama shows of a model: the window that it was set to, else what it surely has of what it could have. */
export function factsOfOllama(answer: unknown): ModelFacts {
  const { parameters, model_info: info } = Shown.parse(answer);
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1];
  const most = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1];
  if (set !== undefined) return windowIn(Number(set));
  return typeof most === 'number' ? windowIn(Math.min(most, OLLAMA_USUAL)) : {};
}

const Running = z.object({ models: z.array(z.object({ name: z.string(), context_length: Window })) });

/** Of the models that Ollama has loaded: what they were given. */
export function factsRunAtOllama(answer: unknown): [id: string, facts: ModelFacts][] {
  return Running.parse(answer).models.flatMap(({ name, context_length: window }) =>
    window === undefined ? [] : [[name, { window }]],
  );
}

function windowIn(tokens: unknown): ModelFacts {
  const window = Window.parse(tokens);
  return window === undefined ? {} : { window };
}
