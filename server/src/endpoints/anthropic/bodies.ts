// What Anthropic is sent (E.1 of the REST facts).
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import { generationOf } from '@parley/schema/claude';
import { paramsOf, withDefaults } from '@parley/schema/endpoints';
import type { Settings } from '@parley/schema/params';
import { replyReserveOf } from '@parley/schema/windows';
import { askingToGoOn, isGoingOn } from '../going-on.ts';
import type { ChatMessage, ProviderCall } from '../provider.ts';
import { briefly, thinkingFor } from './thinking.ts';

export function messagesBody({ model, settings, messages, userId, maxTokens }: ProviderCall) {
  const system = systemOf(settings);
  const extent =
    maxTokens === undefined
      ? { max_tokens: replyReserveOf('anthropic', model, settings), ...thinkingFor(model, settings) }
      : briefly(model, maxTokens);
  return {
    model,
    messages: alternating(isEarly(model) && !('thinking' in extent) ? messages : askingToGoOn(messages)),
    ...(system !== '' && { system }),
    ...extent,
    ...('thinking' in extent ? {} : samplingFor(model, settings)),
    metadata: { user_id: userId },
    stream: true,
  } as MessageCreateParamsStreaming;
}

const HUMAN = '\n\nHuman:';
const ASSISTANT = '\n\nAssistant:';

export function completionBody({ model, settings, messages, userId, maxTokens }: ProviderCall): object {
  const { temperature, topP, topK, maxOutputTokens } = withDefaults(paramsOf('anthropic', model), settings);
  const turns = messages.map(({ role, content }) => `${role === 'user' ? HUMAN : ASSISTANT} ${content}`);
  return {
    model,
    prompt: `${systemOf(settings)}${turns.join('')}${isGoingOn(messages) ? '' : ASSISTANT}`,
    max_tokens_to_sample: maxTokens ?? maxOutputTokens,
    stop_sequences: [HUMAN],
    temperature,
    top_p: topP,
    top_k: topK,
    metadata: { user_id: userId },
    stream: true,
  };
}

/** Up to Claude 3: later models refuse some of what these take. */
function isEarly(model: string): boolean {
  return /^claude-(?:[123]\b|instant)/.test(model);
}

/**
 * Early models are asked with the defaults that the panel shows. Later ones are told only what a person set: from 4.1 on
 * they refuse temperature and top_p together, and the temperature is what more people mean; from 4.7 on they refuse all
 * of it, and so does whatever is made to think.
 */
function samplingFor(model: string, settings: Settings) {
  const params = paramsOf('anthropic', model);
  const { temperature, topP, topK } = isEarly(model) ? withDefaults(params, settings) : settings;
  if (!params.temperature) return {};
  const takesBoth = (generationOf(model) ?? Infinity) < 4.1 || temperature === undefined;
  return given({ temperature, top_p: takesBoth ? topP : undefined, top_k: topK });
}

function given(params: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

function systemOf({ modelLabel, promptPrefix }: Settings): string {
  const identity = typeof modelLabel === 'string' && modelLabel !== '' ? [`You are ${modelLabel}.`] : [];
  const context = typeof promptPrefix === 'string' && promptPrefix.trim() !== '' ? [`Context:\n${promptPrefix}`] : [];
  return [...identity, ...context].join('\n\n');
}

/** Turns of one side become one turn, the first turn is a person's, and the last one does not end in white space. */
function alternating(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const { role, content } of messages) {
    const last = turns.at(-1);
    if (last?.role === role) last.content += `\n\n${content}`;
    else if (last || role === 'user') turns.push({ role, content });
  }
  const end = turns.at(-1);
  if (end?.role === 'assistant') end.content = end.content.trimEnd();
  return turns;
}
