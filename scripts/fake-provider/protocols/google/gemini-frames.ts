/** The chunks of Gemini's stream, the same for both APIs. */
import { parseJson } from '@parley/schema/json';
import { roughTokens } from '@parley/server/providers/demo/turns';
import { dataEvent } from '../../protocol.ts';
import { tell, type RecordedRequest } from '../../record.ts';
import type { Talk } from '../../respond.ts';
import { errorBody } from './google-errors.ts';
import type { Frames, SentContent } from '../../stream-script.ts';
import type { FinishReason, StreamScript } from '../../scenario.ts';

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  // Gemini ends a tool call like any answer.
  tool_calls: 'STOP',
};

/** Reasoning is sent on request and always counted. */
export function createContentFrames(
  { model, messages }: Pick<Talk, 'model' | 'messages'>,
  script: StreamScript,
  showsReasoning: boolean,
  record: RecordedRequest,
): Frames {
  const input = roughTokens(messages.map(({ text }) => text).join(''));
  const chunk = (parts: object[], more: object = {}, about: object = {}) =>
    dataEvent({
      candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
      ...about,
      modelVersion: model,
    });

  let signature: string | null = null;
  let isMalformed = false;

  return {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    open: () => '',
    text: (text) => chunk([{ text }], {}, usageOf(script, input, null, record)),
    reasoning: (text) => (showsReasoning ? chunk([{ text, thought: true }]) : ''),
    picture: (data) => chunk([{ inlineData: { mimeType: 'image/png', data } }]),
    signature: (data) => {
      signature = data;
      return '';
    },
    tool: ({ name, pieces }) => {
      // Gemini has no other arguments.
      const args = parseJson(pieces.join('')) ?? null;
      isMalformed ||= args === null;
      if (args === null) return '';
      const signed = signature === null ? {} : { thoughtSignature: signature };
      signature = null;
      return chunk([{ functionCall: { name, args }, ...signed }]);
    },
    edgeCase: () =>
      chunk([]) + chunk([{ text: '' }], { safetyRatings: [] }) + dataEvent({ usageMetadata: {} }) + dataEvent({ x: 1 }),
    broken: () => 'data: {"candidates":[{"content":{"parts":[{"text":"bro\n\n',
    error: (message) => dataEvent(errorBody({ status: 500, code: null, message })),
    close: (finish, said) =>
      finish === null
        ? ''
        : chunk(
            [],
            { finishReason: isMalformed ? 'MALFORMED_FUNCTION_CALL' : FINISH_REASONS[finish] },
            usageOf(script, input, said, record),
          ),
  };
}

function usageOf({ usage }: StreamScript, counted: number, said: SentContent | null, record: RecordedRequest): object {
  if (usage === 'never') return {};
  if (usage === 'odd') return { usageMetadata: { promptTokenCount: 0, candidatesTokenCount: null } };
  const fixed = typeof usage === 'object' ? usage : null;
  const cached = fixed?.cached ?? 0;
  const prompt = {
    promptTokenCount: fixed?.prompt ?? counted,
    ...(cached > 0 && { cachedContentTokenCount: cached }),
  };
  const input = prompt.promptTokenCount;
  if (!said) {
    tell(record, { input, cachedRead: cached });
    return { usageMetadata: prompt };
  }
  const thoughtsTokenCount = fixed ? (fixed.reasoning ?? 0) : roughTokens(said.reasoning);
  const candidatesTokenCount = fixed
    ? fixed.completion - thoughtsTokenCount
    : said.deltas - (said.reasoning === '' ? 0 : 1);
  const output = candidatesTokenCount + thoughtsTokenCount;
  tell(record, { input, cachedRead: cached, output, reasoning: thoughtsTokenCount });
  return {
    usageMetadata: { ...prompt, candidatesTokenCount, thoughtsTokenCount, totalTokenCount: input + output },
  };
}
