import { endpointTable, endpointParams, withDefaults, type EndpointRow, type EndpointType } from './endpoints.ts';
import { byName, isNamed, type NamePiece } from './model-names.ts';
import type { Settings } from './params.ts';

/**
 * Context windows in tokens by a piece of the model's name; the last match wins (docs/rest-compat.md, Models and
 * windows; for later models their providers' pages). Where prompts are limited to less than the window, that limit
 * counts.
 */
const WINDOWS: readonly (readonly [match: NamePiece, tokens: number])[] = [
  ['gpt-4', 8187],
  ['gpt-4-32k', 32758],
  ['gpt-4-1106', 127990],
  ['gpt-4-0125', 127990],
  ['gpt-4-turbo', 127990],
  ['gpt-4-vision', 127990],
  ['gpt-4o', 127990],
  ['gpt-4.1', 1047566],
  ['gpt-4.5', 127990],
  [/(?:^|\/)o[1-9]\b/, 199990],
  [/(?:^|\/)o1-(?:mini|preview)/, 127990],
  ['gpt-5', 271990],
  [/gpt-(?:5\.[4-9]|[6-9])/, 921990],
  [/gpt-5\.4-(?:mini|nano)/, 271990],
  [/gpt-5\S{0,40}-chat/, 127990],
  ['gpt-3.5-turbo', 16375],
  ['gpt-3.5-turbo-0613', 4092],
  ['gpt-3.5-turbo-0301', 4092],
  ['mistral-', 31990],
  ['command', 4086],
  ['command-nightly', 8182],
  ['command-light-nightly', 8182],
  ['command-r', 127500],
  ['gemini', 30720],
  ['gemini-pro-vision', 12288],
  ['gemini-1.5', 1048576],
  [/gemini-(?:[2-9]|(?:pro|flash)(?:-lite)?-latest)/, 1048576],
  ['text-bison', 8187],
  ['chat-bison', 8187],
  ['code-bison', 6139],
  ['codechat-bison', 6139],
  ['text-bison-32k', 32758],
  ['chat-bison-32k', 32758],
  ['code-bison-32k', 32758],
  ['codechat-bison-32k', 32758],
  ['claude-', 100000],
  ['claude-2.1', 200000],
  ['claude-3', 200000],
  [/claude-(?:opus|sonnet|haiku)/, 200000],
  [/claude-(?!instant)[a-z]+-(?:4[-.][6-9]|[5-9]|preview)/, 1000000],
  // Its chat accepts about 7,000 tokens of context; the reserve is for its reply.
  ['BingAI', 8024],
  ['Sydney', 8024],
];

const UNKNOWN_WINDOW_TOKENS = 4095;

/** Reserved for the reply (docs/rest-compat.md, Models and windows). */
const REPLY_RESERVE_TOKENS = 1024;

/** The smallest reasoning budget that providers accept. */
const BUDGET_TOKENS_MIN = 1024;

/** The tokens a model may spend on reasoning where it has a budget for it; zero is none. */
export function reasoningBudget({ thinkingBudget: budget }: Settings): number {
  return typeof budget === 'number' && budget > 0 ? Math.max(BUDGET_TOKENS_MIN, budget) : 0;
}

/** The tokens of the window reserved for the reply. Reasoning counts towards the longest reply. */
export function replyReserveOf(type: EndpointType, model: string, settings: Settings): number {
  const { reservesLongestReply = false }: EndpointRow = endpointTable[type];
  if (!reservesLongestReply) return REPLY_RESERVE_TOKENS;
  const params = endpointParams(type, model);
  const most = params.maxOutputTokens?.kind === 'slider' ? params.maxOutputTokens.max : Infinity;
  return Math.min(most, Number(withDefaults(params, settings).maxOutputTokens) + reasoningBudget(settings));
}

/** The context window of a model in tokens: what its provider reports, else what its name stands for. */
export function modelWindow(model: string, reported?: number): number {
  return reported ?? findWindow(model) ?? UNKNOWN_WINDOW_TOKENS;
}

/** The window by the model's name; undefined for an unknown model. */
export const findWindow = byName((model): number | undefined => {
  return WINDOWS.findLast(([match]) => isNamed(model, match))?.[1];
});
