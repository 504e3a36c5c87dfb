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

/** By the names that OpenRouter, Groq, vLLM and Mistral have for the same. */
const Told = z.object({
  context_length: Window,
  context_window: Window,
  max_model_len: Window,
  max_context_length: Window,
  pricing: Pricing,
});

/** Of an entry of a list as OpenAI has it. */
export function factsInEntry(entry: unknown): ModelFacts {
  const { data } = Told.safeParse(entry);
  if (!data) return {};
  const { pricing: rates } = data;
  const window = data.context_length ?? data.context_window ?? data.max_model_len ?? data.max_context_length;
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

/** Of what Ollama shows of a model: the window that it was set to, else what it could have at most. */
export function factsOfOllama(answer: unknown): ModelFacts {
  const { parameters, model_info: info } = Shown.parse(answer);
  const set = /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1];
  const most = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1];
  return windowIn(set === undefined ? most : Number(set));
}

function windowIn(tokens: unknown): ModelFacts {
  const window = Window.parse(tokens);
  return window === undefined ? {} : { window };
}
