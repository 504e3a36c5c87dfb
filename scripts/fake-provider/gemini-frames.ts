/** The chunks of Gemini's stream, which are the same by both of its doors. */
import { roughTokens } from '@parley/server/endpoints/demo/request';
import type { Talk } from './answer.ts';
import { errorBody } from './google-errors.ts';
import type { Frames, Said } from './perform.ts';
import type { FinishReason, Speech } from './scenario.ts';

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  // A call is an end like any other there.
  tool_calls: 'STOP',
};

/** Thoughts are told to whoever asks for them, and counted in any case. */
export function createContentFrames(
  { model, messages }: Pick<Talk, 'model' | 'messages'>,
  play: Speech,
  isToldThoughts: boolean,
): Frames {
  const input = roughTokens(messages.map(({ text }) => text).join(''));
  const chunk = (parts: object[], more: object = {}, about: object = {}) =>
    event({ candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }], ...about, modelVersion: model });

  return {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    open: () => '',
    text: (text) => chunk([{ text }], {}, usageOf(play, input, null)),
    reasoning: (text) => (isToldThoughts ? chunk([{ text, thought: true }]) : ''),
    tool: ({ name, pieces }) => chunk([{ functionCall: { name, args: JSON.parse(pieces.join('')) } }]),
    odd: () =>
      chunk([]) + chunk([{ text: '' }], { safetyRatings: [] }) + event({ usageMetadata: {} }) + event({ x: 1 }),
    broken: () => 'data: {"candidates":[{"content":{"parts":[{"text":"bro\n\n',
    error: (message) => event(errorBody({ status: 500, code: null, message })),
    close: (finish, said) =>
      finish === null ? '' : chunk([], { finishReason: FINISH_REASONS[finish] }, usageOf(play, input, said)),
  };
}

function usageOf(play: Speech, input: number, said: Said | null): object {
  if (play.usage === 'never') return {};
  if (play.usage === 'odd') return { usageMetadata: { promptTokenCount: 0, candidatesTokenCount: null } };
  if (!said) return { usageMetadata: { promptTokenCount: input } };
  const thoughtsTokenCount = roughTokens(said.reasoning);
  const candidatesTokenCount = said.deltas - (said.reasoning === '' ? 0 : 1);
  const totalTokenCount = input + candidatesTokenCount + thoughtsTokenCount;
  return { usageMetadata: { promptTokenCount: input, candidatesTokenCount, thoughtsTokenCount, totalTokenCount } };
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
