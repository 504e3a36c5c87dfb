// OpenAI's o-series and GPT from 5 on, at OpenAI, Azure and gateways: they reason before they answer, and refuse some
// parameters of earlier models.
import { byName } from './model-names.ts';
import { scale, withParams, type Params } from './params.ts';

const FAMILY = /(?:^|\/)(?:o\d\b|gpt-[5-9])/;

/**
 * Whether a model counts reasoning among the tokens of its reply; the chat variants do, too, though they have none.
 */
export const countsReasoning = byName((model) => FAMILY.test(model));

export const thinksFirst = byName((model) => FAMILY.test(model) && !model.includes('-chat'));

/** Refused unless they have their default. */
const REFUSED = { temperature: null, top_p: null, frequency_penalty: null, presence_penalty: null, stop: null };

/** The reasoning efforts they accept, by a piece of the name; the last match wins. */
const EFFORTS: readonly (readonly [match: RegExp, efforts: string])[] = [
  [FAMILY, 'low medium high'],
  [/o1-(?:mini|preview)/, ''],
  [/gpt-5/, 'minimal low medium high'],
  [/gpt-5\.\d/, 'none low medium high xhigh'],
  [/gpt-5\.1/, 'none low medium high'],
  [/gpt-(?:5\.[6-9]|[6-9])/, 'none low medium high xhigh max'],
  [/-astra/, 'low medium high xhigh'],
];

/** The parameters of the table as one model takes them. */
export function openAIParams(params: Params, model: string): Params {
  if (!thinksFirst(model)) return withParams(params, { reasoning_effort: null });
  const efforts = EFFORTS.findLast(([match]) => match.test(model))?.[1] ?? '';
  const effort = efforts === '' ? null : scale(['auto', ...efforts.split(' ')], 'auto');
  return withParams(params, { ...REFUSED, reasoning_effort: effort });
}
