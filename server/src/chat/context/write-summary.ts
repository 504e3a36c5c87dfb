// Asks the model for a summary of messages, and charges for it.
import { cleanText } from '@parley/schema/clean-text';
import type { Convo } from '@parley/schema/convos/convos';
import type { Billing } from '../../billing/billing.ts';
import { createCallCount } from '../../billing/call-meter.ts';
import { countTokens } from '../../catalog/count-tokens.ts';
import type { Endpoint } from '../../catalog/endpoint.ts';
import { findModelMetadata } from '../../catalog/model-list.ts';
import { refuse } from '../../platform/errors.ts';
import { countCall } from '../../usage/side-calls.ts';
import type { Omitted } from './omitted.ts';

/** Limits the tokens of a summary. */
export const SUMMARY_TOKENS = 1024;

export interface SummaryAsk {
  userId: string;
  /** As it was when the ask began. */
  convo: Convo;
  endpoint: Endpoint;
  /** Of the conversation. */
  model: string;
}

/** Never empty. Throws when no summary can be made. */
export async function writeSummary(
  omitted: Omitted,
  model: string,
  ask: SummaryAsk,
  billing: Pick<Billing, 'charge'>,
  signal: AbortSignal,
): Promise<string> {
  const { userId, endpoint } = ask;
  const prompt = promptOf(omitted);
  const call = {
    target: await endpoint.target(userId, model),
    model,
    settings: { temperature: 0.2 },
    messages: [{ role: 'user' as const, content: prompt }],
    userId,
    maxTokens: SUMMARY_TOKENS,
    isAlone: true,
  };
  let text = '';
  const count = createCallCount(() => countTokens(prompt));
  try {
    for await (const delta of endpoint.provider(call, signal)) {
      count.add(delta);
      if (delta.type === 'text') text += delta.text;
    }
  } catch (error) {
    count.fail();
    throw error;
  } finally {
    const used = await count.used();
    const item = {
      userId,
      convoId: ask.convo.conversationId,
      endpoint: endpoint.name,
      endpointType: endpoint.type,
      context: 'summary' as const,
      rates: (await findModelMetadata(endpoint, userId, model)).rates,
    };
    // Output before a break is charged; a refusal costs nothing.
    if (used) await billing.charge({ ...item, model, used }, countCall);
  }
  signal.throwIfAborted();
  const words = cleanText(text).trim();
  return words === '' ? refuse({ type: 'empty_answer' }) : words;
}

function promptOf({ before, messages }: Omitted): string {
  const turns = messages.map(({ role, content }) => `${role === 'user' ? 'User' : 'Assistant'}: ${content}`);
  const earlier = before === null ? [] : [`Summary of what came before:\n${before}`];
  return [
    'Sum up this conversation for the assistant that will go on with it and cannot see it any more: facts, names, numbers, decisions, what the user wants, what is still open. Keep what matters of the summary of what came before. Write in the language of the conversation, at most 400 words. Answer with the summary alone.',
    ...earlier,
    ...turns,
  ].join('\n\n');
}
