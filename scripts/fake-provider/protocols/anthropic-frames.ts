/** The events of Anthropic's streams. */
import { roughTokens } from '@parley/server/providers/demo/turns';
import type { Talk } from '../respond.ts';
import type { Frames } from '../stream-script.ts';
import type { FinishReason, StreamScript } from '../scenario.ts';

const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  tool_calls: 'tool_use',
};

type Kind = 'text' | 'thinking' | 'tool_use';

/** The frames of one message: content comes in blocks, and each block in a start, deltas and a stop. */
export function createMessageFrames(
  { model, messages }: Pick<Talk, 'model' | 'messages'>,
  script: StreamScript,
  { isTold, isSigned }: { isTold: boolean; isSigned: boolean },
): Frames {
  const input = roughTokens(messages.map(({ text }) => text).join(''));
  let index = -1;
  let kind: Kind | null = null;
  let signature = 'ZmFrZQ==';

  return {
    headers,
    open: () => event('message_start', { message: opening(model, script, input) }) + event('ping', {}),
    text: (text) => within('text', { type: 'text', text: '' }) + delta({ type: 'text_delta', text }),
    reasoning: (thinking) =>
      isTold
        ? within('thinking', { type: 'thinking', thinking: '', signature: '' }) +
          delta({ type: 'thinking_delta', thinking })
        : '',
    signature: (data) => {
      if (!isSigned) return '';
      signature = data;
      return within('thinking', { type: 'thinking', thinking: '', signature: '' }) + stop();
    },
    tool: ({ id, name, pieces }) =>
      stop() +
      start('tool_use', { type: 'tool_use', id, name, input: {} }) +
      ['', ...pieces].map((partial_json) => delta({ type: 'input_json_delta', partial_json })).join(''),
    edgeCase: () =>
      event('ping', {}) +
      event('x_unknown', { a: 1 }) +
      within('text', { type: 'text', text: '' }) +
      delta({ type: 'text_delta', text: '' }) +
      delta({ type: 'citations_delta', citation: null }),
    broken: () => 'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"text":"bro\n\n',
    error: (message) => event('error', { error: { type: 'api_error', message } }),
    close: (finish, said) =>
      stop() +
      (finish === null
        ? ''
        : event('message_delta', {
            delta: { stop_reason: STOP_REASONS[finish], stop_sequence: null },
            ...usageOf(script, { output_tokens: said.deltas }),
          })) +
      (script.done ? event('message_stop', {}) : ''),
  };

  function within(next: Kind, block: object): string {
    return kind === next ? '' : stop() + start(next, block);
  }

  function start(next: Kind, content_block: object): string {
    kind = next;
    index += 1;
    return event('content_block_start', { index, content_block });
  }

  function stop(): string {
    if (kind === null) return '';
    const signed = kind === 'thinking' ? delta({ type: 'signature_delta', signature }) : '';
    kind = null;
    return signed + event('content_block_stop', { index });
  }

  function delta(change: object): string {
    return event('content_block_delta', { index, delta: change });
  }
}

let lastId = 0;

function opening(model: string, script: StreamScript, input: number): object {
  return {
    id: `msg_fake${String(++lastId).padStart(8, '0')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...usageOf(script, {
      input_tokens: input,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 1,
    }),
  };
}

function usageOf(script: StreamScript, usage: Record<string, number>): object {
  if (script.usage === 'never') return {};
  return { usage: script.usage === 'odd' ? { input_tokens: 0, output_tokens: null } : usage };
}

/** The frames of an old completion, which only has text. */
export function createCompletionFrames(model: string): Frames {
  const piece = (completion: string, stop_reason: string | null) =>
    event('completion', { id: 'compl_fake', completion, stop_reason, model, stop: null, log_id: 'compl_fake' });
  return {
    headers,
    open: () => event('ping', {}),
    text: (text) => piece(text, null),
    reasoning: () => '',
    tool: () => '',
    edgeCase: () => event('ping', {}) + piece('', null),
    broken: () => 'event: completion\ndata: {"type":"completion","completion":"bro\n\n',
    error: (message) => event('error', { error: { type: 'api_error', message } }),
    close: (finish) => (finish === null ? '' : piece('', finish === 'length' ? 'max_tokens' : 'stop_sequence')),
  };
}

function event(type: string, data: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
}
