// What tokens cost, in credits: a million credits are one US dollar (C.8 of the REST facts).
import type { EndpointType } from './endpoints.ts';
import type { Usage } from './messages.ts';

/** Credits a token. */
export interface Rates {
  prompt: number;
  completion: number;
}

/** By a piece of the model's name; the last match wins. */
const RATES: readonly (readonly [match: string, prompt: number, completion: number])[] = [
  ['gpt-4', 30, 60],
  ['gpt-4-32k', 60, 120],
  ['gpt-4-1106', 10, 30],
  ['gpt-4-0125', 10, 30],
  ['gpt-4-turbo', 10, 30],
  ['gpt-4-vision', 10, 30],
  ['gpt-3.5', 1.5, 2],
  ['gpt-3.5-turbo-16k', 3, 4],
  ['gpt-3.5-turbo-1106', 1, 2],
  ['gpt-3.5-turbo-0125', 0.5, 1.5],
  ['claude-', 0.8, 2.4],
  ['claude-2', 8, 24],
  ['claude-3-opus', 15, 75],
  ['claude-3-sonnet', 3, 15],
  ['claude-3-haiku', 0.25, 1.25],
  ['command', 0.38, 0.38],
  ['command-r', 0.5, 1.5],
  ['command-r-plus', 3, 15],
  ['gemini', 0, 0],
];

const UNKNOWN: Rates = { prompt: 6, completion: 6 };
const FREE: Rates = { prompt: 0, completion: 0 };

const CHARGED: ReadonlySet<EndpointType> = new Set([
  'custom',
  'openAI',
  'anthropic',
  'gptPlugins',
  'assistants',
  'azureOpenAI',
]);

/** What the completion of an answer that was stopped or broke off costs more (B.4 of the REST facts). */
export const INCOMPLETE_FACTOR = 1.15;

/** Whether answers of this kind of endpoint are paid from a balance. */
export function isCharged(type: EndpointType): boolean {
  return CHARGED.has(type);
}

/**
 * What the tokens of a model cost; nothing where nobody is charged. What its provider tells of it comes before what its
 * name says.
 */
export function ratesOf(type: EndpointType, model: string | null, told?: Rates): Rates {
  return isCharged(type) ? ratesOfModel(model, told) : FREE;
}

/** The same for what is charged in any case. */
export function ratesOfModel(model: string | null, told?: Rates): Rates {
  if (told) return told;
  const row = model === null ? undefined : RATES.findLast(([match]) => model.includes(match));
  return row ? { prompt: row[1], completion: row[2] } : UNKNOWN;
}

/** The cost of a prompt and its completion together, in whole credits. */
export function costOf({ input, output }: Pick<Usage, 'input' | 'output'>, { prompt, completion }: Rates): number {
  return creditsFor(input, prompt) + creditsFor(output, completion);
}

/** So many tokens at this rate in whole credits, a broken one counted as one. */
export function creditsFor(tokens: number, rate: number): number {
  // 0.38 * 150 is a hair more than 57 in binary, which must not cost another credit.
  return Math.ceil(Number((tokens * rate).toFixed(6)));
}
