// A server that speaks OpenAI's chat completions loosely, behind the official client: what it answers, and what it is asked.
import type { Delta } from '@parley/server/generation/delta';
import type { MessagePart, ToolCall } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { Refusal } from '@parley/server/platform/errors';
import { createRefusals } from '@parley/server/providers/compatible/refusals';
import { openAIStream } from '@parley/server/providers/openai/stream';
import type { ProviderCall } from '@parley/server/providers/provider';
import { createEventBuilder } from '@parley/server/generation/event-builder';
import { endedReply } from '@parley/server/generation/runs';
import { fold } from '@parley/schema/generation/fold';
import type { Message } from '@parley/schema/messages/messages';
import { emptyReply } from '../../../contracts/generation-events.ts';

export type Body = Record<string, unknown>;
/** Answers a request; the text is a stream of events when the status is a success. */
export type Answer = (body: Body) => { status?: number; text: string; type?: string };

export interface Told {
  reply: Message;
  parts: MessagePart[];
  text: string;
  reasoning: string;
  calls: ToolCall[];
  finish: string | null;
  reason: Reason | null;
  asked: Body[];
}

const provider = openAIStream('custom');
/** As in a server: what it learns of an endpoint lasts. */
const refusals = createRefusals();

let count = 0;

export function eventStream(...chunks: object[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('');
}

export const DONE = 'data: [DONE]\n\n';

export function said(content: string, finish: string | null = null): object {
  return { choices: [{ index: 0, delta: { content }, finish_reason: finish }] };
}

export function ended(finish: unknown = 'stop'): object {
  return { choices: [{ index: 0, delta: {}, finish_reason: finish }] };
}

/** Asks it as a custom endpoint is asked, and folds what comes into a reply. */
export async function ask(answer: Answer | string, over: Partial<ProviderCall> = {}): Promise<Told> {
  const asked: Body[] = [];
  const respond: Answer = typeof answer === 'string' ? () => ({ text: answer }) : answer;
  const call: ProviderCall = {
    model: 'one',
    settings: {},
    messages: [{ role: 'user', content: 'Hello' }],
    userId: 'alice',
    ...over,
    target: {
      endpoint: 'Stranger',
      baseURL: `http://stranger-${++count}.example/v1`,
      apiKey: 'k',
      headers: {},
      addParams: {},
      dropParams: [],
      isCompatible: true,
      refusals,
      fetch: async (_url, init) => {
        const body = JSON.parse(String(init?.body)) as Body;
        asked.push(body);
        const { status = 200, text, type = 'text/event-stream' } = respond(body);
        return new Response(text, { status, headers: { 'content-type': type } });
      },
      ...over.target,
    },
  };
  const events = createEventBuilder([]);
  let reply = emptyReply({ parts: [] });
  let finish = null as Message['finishReason'];
  let failure: Reason | null = null;
  const add = (event: ReturnType<typeof events.flush>) => void (event && (reply = fold(reply, event)));
  try {
    for await (const delta of provider(call, new AbortController().signal)) {
      if (delta.type === 'finish') finish = delta.reason;
      add(events.add(delta satisfies Delta));
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    failure = error.reason;
  }
  add(events.flush());
  const { parts, reason } = (reply = endedReply({ reply, cause: null, finish, failure }));
  const textOf = (type: 'text' | 'reasoning') =>
    parts.flatMap((part) => (part.type === type ? part.text : [])).join('');
  const calls = parts.flatMap((part) => (part.type === 'tool_call' ? part.call : []));
  return { reply, parts, text: textOf('text'), reasoning: textOf('reasoning'), calls, finish, reason, asked };
}
