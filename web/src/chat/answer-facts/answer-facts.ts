// What an answer took: time, tokens, money. Money is in US dollars, as the providers' price lists are.
import { costInCredits, isPriced, isPriceKnown, ratesOfCall } from '@parley/schema/catalog/rates';
import { tokensOf } from '@parley/schema/catalog/usage';
import { isFree, type Message } from '@parley/schema/messages/messages';
import type { TFunction } from 'i18next';
import { isDemo } from '../../catalog/model-target.ts';
import { DOLLAR, formatDollars } from '../../lib/format-number.ts';
import { formatDuration } from './format-duration.ts';

type Answer = Pick<Message, 'usage' | 'context' | 'endpoint' | 'endpointType' | 'model' | 'parts' | 'reason'>;

/** What the model was given and has written, in tokens; null where nobody counted, or nothing is charged. */
function answerTokens(answer: Answer) {
  const { usage, context } = answer;
  if (!usage || isFree(answer, usage)) return null;
  const input = usage.input > 0 ? usage.input : (context?.tokens ?? 0);
  return { ...tokensOf(usage), input, isEstimate: usage.estimated === true || usage.input === 0 };
}

/** The cost in US dollars; null where nothing is charged. Estimated where the tokens or their price are. */
export function answerCost(answer: Answer): { dollars: number; isEstimate: boolean } | null {
  const tokens = answerTokens(answer);
  const { endpointType, model, usage } = answer;
  if (!tokens || isDemo(answer) || !isPriced(endpointType)) return null;
  const call = { endpointType, model, rates: usage?.rates };
  return {
    dollars: costInCredits(tokens, ratesOfCall(call)) / DOLLAR,
    isEstimate: tokens.isEstimate || !isPriceKnown(call),
  };
}

/** An amount, marked by the word where it is an estimate. */
export function describeCost(
  { dollars, isEstimate }: { dollars: number; isEstimate: boolean },
  t: TFunction,
  language: string,
): string {
  const amount = formatDollars(dollars, language);
  return isEstimate ? t('com_cost_estimated', { 0: amount }) : amount;
}

/** The facts in the line above an answer. */
export function answerFacts(answer: Answer, t: TFunction, language: string): string[] {
  const tokens = answerTokens(answer);
  const cost = answerCost(answer);
  const tookMs = answer.usage?.tookMs;
  const said = (text: string) => (tokens?.isEstimate ? t('com_context_about', { 0: text }) : text);
  return [
    ...(tookMs === undefined ? [] : [formatDuration(tookMs, language)]),
    // Pictures are counted, not their tokens.
    ...(tokens && !answer.context?.picture
      ? [said(t('com_chat_tokens', { count: tokens.input + tokens.output }))]
      : []),
    ...(cost ? [describeCost(cost, t, language)] : []),
  ];
}
