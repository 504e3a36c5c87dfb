/** Cohere's chat protocol: the question separate from the history, the answer as one JSON object per line. */
import { roughTokens } from '@parley/server/providers/demo/turns';
import * as z from 'zod';
import { respondAsScripted } from '../respond.ts';
import { tell, type RecordedRequest } from '../record.ts';
import type { Frames } from '../stream-script.ts';
import type { FinishReason, Refusal, StreamScript } from '../scenario.ts';
import { sendJson } from '../protocol.ts';
import type { Protocol } from '../protocol.ts';

const Body = z.object({
  model: z.string(),
  message: z.string().min(1),
  chat_history: z.array(z.object({ role: z.enum(['USER', 'CHATBOT', 'SYSTEM']), message: z.string() })).default([]),
  max_tokens: z.number().optional(),
  stream: z.literal(true),
});

export const cohere: Protocol = {
  serves: (method, path) => method === 'POST' && path === '/v1/chat',
  async respond(exchange) {
    const { success, data } = Body.safeParse(exchange.request.body);
    if (!success)
      return sendJson(exchange.line, 400, { message: 'invalid request: message must be at least 1 token.' });
    const history = data.chat_history.map(({ role, message }) => ({
      role: role === 'USER' ? 'user' : 'assistant',
      text: message,
    }));
    const messages = [...history, { role: 'user', text: data.message }];
    const talk = { model: data.model, messages, maxTokens: data.max_tokens };
    return respondAsScripted(exchange, talk, {
      frames: (script) => createFrames(messages, script, exchange.request),
      refused: same,
      errorBody,
    });
  },
};

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'COMPLETE',
  length: 'MAX_TOKENS',
  content_filter: 'ERROR_TOXIC',
  tool_calls: 'COMPLETE',
};

function createFrames(messages: { text: string }[], script: StreamScript, record: RecordedRequest): Frames {
  const input_tokens = roughTokens(messages.map(({ text }) => text).join(''));
  return {
    headers: { 'content-type': 'application/stream+json' },
    open: () => line({ event_type: 'stream-start', generation_id: 'fake' }),
    text: (text) => line({ event_type: 'text-generation', text }),
    reasoning: () => '',
    tool: ({ name, pieces }) =>
      line({ event_type: 'tool-calls-generation', tool_calls: [{ name, parameters: JSON.parse(pieces.join('')) }] }),
    edgeCase: () => line({ event_type: 'citation-generation', citations: [] }) + line({ event_type: 'x', text: null }),
    broken: () => '{"event_type":"text-generation","text":"bro\n',
    keepAlive: () => '\n',
    error: (message) => line({ event_type: 'stream-end', finish_reason: 'ERROR', error: message }),
    close: (finish, said) => {
      if (finish === null) return '';
      const tokens = { input_tokens, output_tokens: said.deltas };
      if (script.usage !== 'never') tell(record, { input: input_tokens, output: said.deltas });
      const meta = script.usage === 'never' ? {} : { meta: { billed_units: tokens, tokens } };
      const response = { text: said.text, finish_reason: FINISH_REASONS[finish], ...meta };
      return line({ event_type: 'stream-end', finish_reason: FINISH_REASONS[finish], response });
    },
  };
}

function line(event: object): string {
  return `${JSON.stringify({ is_finished: false, ...event })}\n`;
}

function same(refusal: Refusal): Refusal {
  return refusal;
}

function errorBody({ message }: Refusal): unknown {
  return { message };
}
