/** The events of Anthropic's streams. */
import { roughTokens } from '@parley/server/providers/demo/turns';
import { tell, type BookEntry, type RecordedRequest } from '../record.ts';
import type { Talk } from '../respond.ts';
import type { CacheUse } from './anthropic-cache.ts';
import type { Frames } from '../stream-script.ts';
import type { FinishReason, StreamScript } from '../scenario.ts';

const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' };

const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  content_filter: 'refusal',
  tool_calls: 'tool_use',
};

type Prompt = Pick<BookEntry, 'input' | 'cachedRead' | 'cachedWrite'>;

export type MessageFacts = {
  /** Whether reasoning is shown, and whether it is signed. */
  isTold: boolean;
  isSigned: boolean;
  /** Null where nothing is to be cached. */
  cache: CacheUse | null;
  record: RecordedRequest;
};

type Kind = 'text' | 'thinking' | 'tool_use';

/** The frames of one message: content comes in blocks, and each block in a start, deltas and a stop. */
export function createMessageFrames(
  { model, messages }: Pick<Talk, 'model' | 'messages'>,
  script: StreamScript,
  { isTold, isSigned, cache, record }: MessageFacts,
): Frames {
  const prompt = promptOf(messages, cache);
  let index = -1;
  let kind: Kind | null = null;
  let signature = 'ZmFrZQ==';

  return {
    headers,
    open: () => event('message_start', { message: opening(model, script, prompt, record) }) + event('ping', {}),
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
            ...usageOf(script, { output_tokens: said.deltas }, () => tell(record, { ...prompt, output: said.deltas })),
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

function promptOf(messages: Talk['messages'], cache: CacheUse | null): Prompt {
  if (cache) return { input: cache.total, cachedRead: cache.read, cachedWrite: cache.written };
  return { input: roughTokens(messages.map(({ text }) => text).join('')), cachedRead: 0, cachedWrite: 0 };
}

let lastId = 0;

function opening(model: string, script: StreamScript, prompt: Prompt, record: RecordedRequest): object {
  const { input, cachedRead, cachedWrite } = prompt;
  return {
    id: `msg_fake${String(++lastId).padStart(8, '0')}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...usageOf(
      script,
      {
        input_tokens: input - cachedRead - cachedWrite,
        cache_creation_input_tokens: cachedWrite,
        cache_read_input_tokens: cachedRead,
        output_tokens: 1,
      },
      () => tell(record, prompt),
    ),
  };
}

function usageOf(script: StreamScript, usage: Record<string, number>, enter: () => void): object {
  if (script.usage === 'never') return {};
  if (script.usage === 'odd') return { usage: { input_tokens: 0, output_tokens: null } };
  enter();
  return { usage };
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
