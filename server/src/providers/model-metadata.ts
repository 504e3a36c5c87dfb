// Parses what model lists report beside the names. All fields are optional, and an invalid value counts as absent: it
// never invalidates the list.
import type { ReportedRates } from '@parley/schema/catalog/usage';
import * as z from 'zod';

/** What a provider reports about one of its models. */
export interface ModelMetadata {
  /** The context window in tokens. */
  window?: number | undefined;
  rates?: ReportedRates | undefined;
}

/** The largest accepted window in tokens. */
const WINDOW_MAX = 100_000_000;
/**
 * The largest accepted rate in credits per token. A higher price was meant per million tokens, or in another currency.
 */
const RATE_MAX = 10_000;
/** Credits per US dollar (docs/rest-compat.md, Token prices). */
const CREDITS_PER_DOLLAR = 1_000_000;

/** A count of tokens. */
export const Window = z.int().min(1).max(WINDOW_MAX).optional().catch(undefined);

/** US dollars a token, as OpenRouter writes them: "0.0000006". */
const Price = z
  .string()
  .regex(/^\d+(\.\d+)?(e-?\d+)?$/i)
  // 0.0000006 * 1,000,000 is a hair less than 0.6 in binary.
  .transform((dollars) => Number((Number(dollars) * CREDITS_PER_DOLLAR).toFixed(6)))
  .pipe(z.number().max(RATE_MAX));

const MaybePrice = Price.optional().catch(undefined);

/** As OpenRouter names them. */
const Pricing = z
  .object({ prompt: Price, completion: Price, input_cache_read: MaybePrice, input_cache_write: MaybePrice })
  .transform(({ prompt, completion, input_cache_read: cachedRead, input_cache_write: cachedWrite }): ReportedRates => ({
    prompt,
    completion,
    ...(cachedRead !== undefined && { cachedRead }),
    ...(cachedWrite !== undefined && { cachedWrite }),
  }))
  .optional()
  .catch(undefined);

/** OpenRouter, Groq, vLLM, Mistral and Anthropic use different names for the window. */
const Metadata = z.object({
  context_length: Window,
  context_window: Window,
  max_model_len: Window,
  max_context_length: Window,
  max_input_tokens: Window,
  pricing: Pricing,
});

/** The metadata in an entry of a list in OpenAI's format. */
export function metadataInEntry(entry: unknown): ModelMetadata {
  const { data } = Metadata.safeParse(entry);
  if (!data) return {};
  const { pricing: rates, context_length, context_window, max_model_len, max_context_length, max_input_tokens } = data;
  const window = context_length ?? context_window ?? max_model_len ?? max_context_length ?? max_input_tokens;
  return { ...(window !== undefined && { window }), ...(rates && { rates }) };
}

/** The metadata of a window in tokens, if it makes sense. */
export function windowIn(tokens: unknown): ModelMetadata {
  const window = Window.parse(tokens);
  return window === undefined ? {} : { window };
}
