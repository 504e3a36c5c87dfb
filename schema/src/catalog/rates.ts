// Token prices in credits: a million credits are one US dollar (docs/rest-compat.md, Token prices).
import { endpointTable, type EndpointType } from './endpoints.ts';
import { byName, isNamed, type NamePiece } from './model-names.ts';

/** Credits a token. */
export interface Rates {
  prompt: number;
  completion: number;
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
  ['gemini', 0, 0],
  ['gemini-2.0-flash', 0.1, 0.4],
  ['gemini-2.0-flash-lite', 0.075, 0.3],
  ['gemini-2.5-pro', 1.25, 10],
  ['gemini-2.5-flash', 0.3, 2.5],
  ['gemini-2.5-flash-lite', 0.1, 0.4],
  [/gemini-3(?:\.\d)?-pro/, 2, 12],
  ['gemini-3-flash', 0.5, 3],
];

const UNKNOWN: Rates = { prompt: 6, completion: 6 };
const FREE: Rates = { prompt: 0, completion: 0 };

/** The surcharge on the completion of a reply that was stopped or broke off (docs/rest-compat.md, Token prices). */
export const INCOMPLETE_FACTOR = 1.15;

/** Whether this endpoint type is charged to a balance. */
export function isCharged(type: EndpointType): boolean {
  return endpointTable[type].isCharged;
}

/**
 * The rates of a model; zero for endpoints that are not charged. Reported rates take precedence over those by the
 * model's name.
 */
export function modelRates(type: EndpointType, model: string | null, reported?: Rates): Rates {
  return isCharged(type) ? ratesOfModel(model, reported) : FREE;
}

/** The same for calls that are always charged. */
export function ratesOfModel(model: string | null, reported?: Rates): Rates {
  return reported ?? (model === null ? null : knownRates(model)) ?? UNKNOWN;
}

/** The rates of the table; null for a model that it does not name, or without a price. */
export const knownRates = byName((model): Rates | null => {
  const row = RATES.findLast(([match]) => isNamed(model, match));
  return row ? { prompt: row[1], completion: row[2] } : null;
});

/** The cost of a prompt and its completion together, in whole credits. */
export function costInCredits(
  { input, output }: { input: number; output: number },
  { prompt, completion }: Rates,
): number {
  return creditsFor(input, prompt) + creditsFor(output, completion);
}

/** The cost of tokens at a rate in whole credits, rounded up. */
export function creditsFor(tokens: number, rate: number): number {
  // 0.38 * 150 is slightly more than 57 in binary floating point, which must not cost another credit.
  return Math.ceil(Number((tokens * rate).toFixed(6)));
}
