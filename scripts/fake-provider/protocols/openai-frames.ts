/** The bodies of the OpenAI protocol: chunks of a stream and whole answers, for chat and for legacy completions. */
import { roughTokens } from '@parley/server/providers/demo/turns';
import { tell, type RecordedRequest } from '../record.ts';
import type { ChatRequest } from './openai-request.ts';
import type { Frames, SentContent } from '../stream-script.ts';
import type { FinishReason, StreamScript, ToolCall } from '../scenario.ts';

/** Where the two kinds of completion differ. Choices are JSON text without the chunk around them. */
export type Dialect = {
  idPrefix: string;
  chunkObject: string;
  wholeObject: string;
  /** The first chunk's delta, or undefined where there is none. */
  opening: string | undefined;
  textDelta(json: string): string;
  delta(delta: string, finish: FinishReason | null): string;
  whole(said: SentContent): object;
};

export const chatDialect: Dialect = {
  idPrefix: 'chatcmpl',
  chunkObject: 'chat.completion.chunk',
  wholeObject: 'chat.completion',
  opening: '{"role":"assistant","content":"","refusal":null}',
  textDelta: (json) => `{"content":${json}}`,
  delta: (delta, finish) => `{"index":0,"delta":${delta},"logprobs":null,"finish_reason":${JSON.stringify(finish)}}`,
  whole: (said) => ({ message: { role: 'assistant', content: said.text, refusal: null, ...extras(said) } }),
};

export const textDialect: Dialect = {
  idPrefix: 'cmpl',
  chunkObject: 'text_completion',
  wholeObject: 'text_completion',
  opening: undefined,
  textDelta: (json) => json,
  delta: (text, finish) =>
    `{"text":${text === '{}' ? '""' : text},"index":0,"logprobs":null,"finish_reason":${JSON.stringify(finish)}}`,
  whole: (said) => ({ text: said.text }),
};

/** The frames of one stream. What is the same in each chunk is serialised once. */
export function createFrames(
  dialect: Dialect,
  request: ChatRequest,
  script: StreamScript,
  record: RecordedRequest,
): Frames {
  const start = `data: ${JSON.stringify(identity(dialect, dialect.chunkObject, request)).slice(0, -1)},"choices":[`;
  const asked = script.usage !== 'never' && request.includeUsage;
  const end = asked ? `],"usage":null}\n\n` : `]}\n\n`;
  // Legacy completions only have text.
  const chatOnly = (frames: string) => (dialect === chatDialect ? frames : '');
  const chunk = (delta: string, finish?: FinishReason) => start + dialect.delta(delta, finish ?? null) + end;

  return {
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    open: () => (dialect.opening === undefined ? '' : chunk(dialect.opening)),
    text: (text) => chunk(dialect.textDelta(JSON.stringify(text))),
    reasoning: (text) => chatOnly(chunk(`{"reasoning_content":${JSON.stringify(text)}}`)),
    tool: (call) =>
      chatOnly(
        toolDeltas(call)
          .map((delta) => chunk(delta))
          .join(''),
      ),
    signature: (data) =>
      chatOnly(chunk(JSON.stringify({ reasoning_details: [{ type: 'reasoning.encrypted', data, index: 0 }] }))),
    picture: (data) => {
      const url = `data:image/png;base64,${data}`;
      return chatOnly(chunk(JSON.stringify({ content: '', images: [{ type: 'image_url', image_url: { url } }] })));
    },
    edgeCase: () => chatOnly(oddDeltas.map((delta) => chunk(delta)).join('') + start + end + secondChoice(chunk)),
    broken: () => 'data: {"id":"broken","choices":[{"index":0,"delta":{"content":"bro\n\n',
    error: (message, status) =>
      status === undefined
        ? `data: ${JSON.stringify({ error: { message, type: 'server_error', param: null, code: null } })}\n\n`
        : `${start}${dialect.delta('{}', null).replace(/null}$/, '"error"}')}],"error":${JSON.stringify({ code: status, message })}}\n\n`,
    close: (finish, said) => closing(dialect, request, script, finish, said, { start, end, chunk, record }),
  };
}

const oddDeltas = [
  '{"content":null}',
  '{"role":"assistant"}',
  '{}',
  '{"content":"","annotations":[],"x_unknown":{"a":1}}',
];

// Some providers number further choices; only the choice at index 0 is the reply.
function secondChoice(chunk: Chunks['chunk']): string {
  return chunk('{"content":"NOT OURS"}').replace('{"index":0,', '{"index":1,');
}

type Chunks = {
  start: string;
  end: string;
  chunk: (delta: string, finish?: FinishReason) => string;
  record: RecordedRequest;
};

function closing(
  dialect: Dialect,
  request: ChatRequest,
  script: StreamScript,
  finish: FinishReason | null,
  said: SentContent,
  { start, end, chunk, record }: Chunks,
): string {
  const isTold = request.includeUsage ? script.usage !== 'never' && finish !== null : script.usage === 'always';
  const usage = isTold ? JSON.stringify(usageOf(request, said, script, record)) : '';
  let last = finish === null ? '' : chunk('{}', finish);
  if (script.repeatsText)
    last = last.replace('"logprobs"', () => `${JSON.stringify(dialect.whole(said)).slice(1, -1)},"logprobs"`);
  if (isTold && !request.includeUsage) last = last.replace(end, `],"usage":${usage}}\n\n`);
  if (isTold && request.includeUsage) last += `${start}],"usage":${usage}}\n\n`;
  return last + (script.done ? 'data: [DONE]\n\n' : '');
}

/** The answer in one piece. */
export function wholeReply(
  dialect: Dialect,
  request: ChatRequest,
  said: SentContent,
  script: StreamScript,
  record: RecordedRequest,
): object {
  const choice = { index: 0, ...dialect.whole(said), logprobs: null, finish_reason: script.finish };
  const usage = script.usage === 'never' ? {} : { usage: usageOf(request, said, script, record) };
  return { ...identity(dialect, dialect.wholeObject, request), choices: [choice], ...usage };
}

let lastId = 0;

function identity(dialect: Dialect, object: string, request: ChatRequest): object {
  const id = `${dialect.idPrefix}-fake${String(++lastId).padStart(8, '0')}`;
  const created = Math.floor(Date.now() / 1_000);
  return { id, object, created, model: request.model, system_fingerprint: 'fp_fake' };
}

function usageOf(request: ChatRequest, said: SentContent, { usage }: StreamScript, record: RecordedRequest): object {
  if (usage === 'odd') return { prompt_tokens: 0, completion_tokens: null, total_tokens: null };
  const counted = {
    prompt: roughTokens(request.messages.map(({ text }) => text).join('')),
    completion: said.deltas,
    reasoning: said.reasoning === '' ? 0 : Math.min(roughTokens(said.reasoning), said.deltas),
  };
  const {
    prompt,
    completion,
    cached = 0,
    reasoning = 0,
  } = typeof usage === 'object' ? usage : { ...counted, cached: 0 };
  tell(record, { input: prompt, cachedRead: cached, output: completion, reasoning });
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    ...(cached > 0 && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning > 0 && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

function extras({ reasoning, tools }: SentContent): object {
  const calls = tools.map(({ id, name, pieces }) => ({
    id,
    type: 'function',
    function: { name, arguments: pieces.join('') },
  }));
  return {
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

function toolDeltas({ index, id, name, pieces }: ToolCall): string[] {
  const first = { index, id, type: 'function', function: { name, arguments: '' } };
  const rest = pieces.map((piece) => ({ index, function: { arguments: piece } }));
  return [first, ...rest].map((call) => JSON.stringify({ tool_calls: [call] }));
}
