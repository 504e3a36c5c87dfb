// Token prices in credits: a million credits are one US dollar (docs/rest-compat.md, Token prices).
import { endpointTable, type EndpointType } from './endpoints.ts';
import { byName, isNamed, type NamePiece } from './model-names.ts';
import type { ReportedRates, TokenCounts } from './usage.ts';

/** Credits a token. */
export interface Rates {
  prompt: number;
  completion: number;
  /** Of prompt tokens that are read from the provider's cache. */
  cachedRead: number;
  /** Of prompt tokens that are written to the provider's cache. */
  cachedWrite: number;
}

/** What the price of a call depends on. */
export interface PricedCall {
  endpointType: EndpointType;
  model: string | null;
  /** The prices that the provider reports. */
  rates?: ReportedRates | null | undefined;
}

/**
 * By a piece of the model's name; the last match wins. Surcharges of some providers for long prompts are not included.
 */
const RATES: readonly (readonly [match: NamePiece, prompt: number, completion: number])[] = [
  ['gpt-4', 30, 60],
  ['gpt-4-32k', 60, 120],
  ['gpt-4-1106', 10, 30],
  ['gpt-4-0125', 10, 30],
  ['gpt-4-turbo', 10, 30],
  ['gpt-4-vision', 10, 30],
  ['gpt-4o', 2.5, 10],
  ['gpt-4o-2024-05-13', 5, 15],
  ['chatgpt-4o', 5, 15],
  ['gpt-4o-mini', 0.15, 0.6],
  ['gpt-4.1', 2, 8],
  ['gpt-4.1-mini', 0.4, 1.6],
  ['gpt-4.1-nano', 0.1, 0.4],
  ['gpt-4.5', 75, 150],
  [/(?:^|\/)o1/, 15, 60],
  [/(?:^|\/)o3/, 2, 8],
  [/(?:^|\/)o\d-mini/, 1.1, 4.4],
  ['gpt-5', 1.25, 10],
  ['gpt-5-mini', 0.25, 2],
  ['gpt-5-nano', 0.05, 0.4],
  [/gpt-5\.[23]/, 1.75, 14],
  ['gpt-5.4', 2.5, 15],
  ['gpt-5.4-mini', 0.75, 4.5],
  ['gpt-5.4-nano', 0.2, 1.25],
  ['gpt-5.5', 5, 30],
  ['gpt-5.6', 4, 20],
  ['gpt-5.6-terra', 2, 12],
  ['gpt-5.6-luna', 0.2, 1.2],
  ['gpt-6', 2, 10],
  [/gpt-6\S{0,40}-terra/, 1, 5],
  [/gpt-6\S{0,40}-luna/, 0.1, 0.5],
  ['gpt-6-astra', 10, 50],
  ['gpt-6.2-astra', 8, 40],
  ['gpt-3.5', 1.5, 2],
  ['gpt-3.5-turbo-16k', 3, 4],
  ['gpt-3.5-turbo-1106', 1, 2],
  ['gpt-3.5-turbo-0125', 0.5, 1.5],
  [/text-embedding/, 0.1, 0],
  [/text-embedding-3-small/, 0.02, 0],
  [/text-embedding-3-large/, 0.13, 0],
  ['claude-', 0.8, 2.4],
  ['claude-2', 8, 24],
  ['claude-3-opus', 15, 75],
  ['claude-3-sonnet', 3, 15],
  ['claude-3-haiku', 0.25, 1.25],
  [/claude-3[-.]5-haiku/, 0.8, 4],
  [/claude-3[-.][57]-sonnet/, 3, 15],
  ['claude-opus', 5, 25],
  [/claude-opus-4(?![-.][5-9])/, 15, 75],
  [/claude-opus-5[-.]5/, 4, 20],
  ['claude-sonnet', 3, 15],
  ['claude-sonnet-5', 2, 10],
  ['claude-haiku', 1, 5],
  ['claude-haiku-5', 0.1, 0.5],
  [/claude-(?:fable|mythos)/, 10, 50],
  [/claude-(?:fable|mythos)-5[-.]2/, 8, 40],
  ['command', 0.38, 0.38],
  ['command-r', 0.5, 1.5],
  ['command-r-plus', 3, 15],
  [/gemini-(?:1\.0-)?pro/, 0.5, 1.5],
  ['gemini-1.5-pro', 1.25, 5],
  ['gemini-1.5-flash', 0.075, 0.3],
  ['gemini-1.5-flash-8b', 0.0375, 0.15],
  ['gemini-pro-latest', 1.25, 10],
  ['gemini-flash-latest', 0.3, 2.5],
  ['gemini-flash-lite-latest', 0.1, 0.4],
  ['gemini-2.0-flash', 0.1, 0.4],
  ['gemini-2.0-flash-lite', 0.075, 0.3],
  ['gemini-2.5-pro', 1.25, 10],
  ['gemini-2.5-flash', 0.3, 2.5],
  ['gemini-2.5-flash-lite', 0.1, 0.4],
  [/gemini-3(?:\.\d)?-pro/, 2, 12],
  ['gemini-3-flash', 0.5, 3],
];

/**
 * What a token of the provider's prompt cache costs, as a part of the price of a prompt token, by a piece of the model's
 * name; the last match wins. Models without a row have no such price: their cached tokens cost what others do.
 *
 * OpenAI: "Cached input" of https://platform.openai.com/docs/pricing; writing costs nothing more. Anthropic:
 * https://docs.anthropic.com/en/docs/build-with-claude/prompt-caching#pricing, for the cache of five minutes. Google:
 * https://ai.google.dev/gemini-api/docs/pricing, "Context caching price" without storage. DeepSeek:
 * https://api-docs.deepseek.com/quick_start/pricing, "cache hit". xAI: https://docs.x.ai/docs/models, "Cached input".
 */
const CACHED: readonly (readonly [match: NamePiece, read: number, write: number])[] = [
  ['gpt-4o', 0.5, 1],
  ['gpt-4o-2024-05-13', 1, 1],
  ['chatgpt-4o', 1, 1],
  ['gpt-4.1', 0.25, 1],
  ['gpt-4.5', 0.5, 1],
  [/(?:^|\/)o1/, 0.5, 1],
  [/(?:^|\/)o3/, 0.25, 1],
  [/(?:^|\/)o3-mini/, 0.5, 1],
  [/(?:^|\/)o4-mini/, 0.25, 1],
  [/gpt-[5-9]/, 0.1, 1],
  ['claude-', 0.1, 1.25],
  [/gemini-2\.0/, 0.25, 1],
  [/gemini-(?:2\.5|[3-9])/, 0.1, 1],
  ['deepseek', 0.1, 1],
  ['grok', 0.25, 1],
];

const UNKNOWN: ReportedRates = { prompt: 6, completion: 6 };
const FREE: Rates = { prompt: 0, completion: 0, cachedRead: 0, cachedWrite: 0 };

/** The surcharge on the completion of a reply that was stopped or broke off (docs/rest-compat.md, Token prices). */
export const INCOMPLETE_FACTOR = 1.15;

/** Whether calls of this endpoint type have a price. */
export function isPriced(type: EndpointType): boolean {
  return endpointTable[type].isPriced;
}

/**
 * The rates of a call: every cost is found by them. Zero for endpoint types without a price. Reported rates take
 * precedence over those by the model's name.
 */
export function ratesOfCall({ endpointType, model, rates }: PricedCall): Rates {
  if (!isPriced(endpointType)) return FREE;
  const known = rates ?? (model === null ? null : knownRates(model)) ?? UNKNOWN;
  const [, read, write] = (model === null ? undefined : cachedParts(model)) ?? [null, 1, 1];
  const { prompt, completion, cachedRead = partOf(prompt, read), cachedWrite = partOf(prompt, write) } = known;
  return { prompt, completion, cachedRead, cachedWrite };
}

/** The rates of the table; null for a model that it does not name, or without a price. */
export const knownRates = byName((model): ReportedRates | null => {
  const row = RATES.findLast(([match]) => isNamed(model, match));
  return row ? { prompt: row[1], completion: row[2] } : null;
});

const cachedParts = byName((model) => CACHED.findLast(([match]) => isNamed(model, match)));

function partOf(rate: number, part: number): number {
  // 1.1 * 0.25 is slightly more than 0.275 in binary floating point.
  return Number((rate * part).toFixed(6));
}

/** Tokens of one price. */
export interface PricedTokens {
  tokenType: 'prompt' | 'cached_read' | 'cached_write' | 'completion';
  tokens: number;
  /** Credits a token. */
  rate: number;
}

/** The tokens of a usage by their prices. Prompt and completion are always there, cached ones only where there are some. */
export function pricedTokens(
  { input, cachedRead = 0, cachedWrite = 0, output }: TokenCounts,
  rates: Rates,
): PricedTokens[] {
  const all: PricedTokens[] = [
    { tokenType: 'prompt', tokens: input - cachedRead - cachedWrite, rate: rates.prompt },
    { tokenType: 'cached_read', tokens: cachedRead, rate: rates.cachedRead },
    { tokenType: 'cached_write', tokens: cachedWrite, rate: rates.cachedWrite },
    { tokenType: 'completion', tokens: output, rate: rates.completion },
  ];
  return all.filter(({ tokenType, tokens }) => tokens > 0 || tokenType === 'prompt' || tokenType === 'completion');
}

/** The cost of a prompt and its completion together, in whole credits: each price is rounded up by itself. */
export function costInCredits(usage: TokenCounts, rates: Rates): number {
  return pricedTokens(usage, rates).reduce((sum, { tokens, rate }) => sum + creditsFor(tokens, rate), 0);
}

/** The cost of tokens at a rate in whole credits, rounded up. */
export function creditsFor(tokens: number, rate: number): number {
  // 0.38 * 150 is slightly more than 57 in binary floating point, which must not cost another credit.
  return Math.ceil(Number((tokens * rate).toFixed(6)));
}
