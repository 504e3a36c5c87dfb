/** Bing's chat by websocket: a handshake, pings, one question, and the whole answer so far with each update. */
import { asFields } from '@parley/schema/json';
import type { WebSocket } from 'ws';
import * as z from 'zod';
import { respondAsScripted } from '../respond.ts';
import { createBingFrames, bingEndRecord } from './bing-frames.ts';
import type { Refusal } from '../scenario.ts';
import { SEPARATOR } from '../socket-connection.ts';
import type { FakeCall } from '../protocol.ts';

export const CHAT_PATH = '/sydney/ChatHub';

interface Upgrade {
  query: string;
  /** Begins a call for a question. */
  hear(body: unknown): FakeCall;
}

const Context = z.object({
  author: z.literal('user'),
  description: z.string().min(1),
  contextType: z.literal('WebPage'),
  messageType: z.literal('Context'),
});

const Request = z.object({
  type: z.literal(4),
  target: z.literal('chat'),
  invocationId: z.string().regex(/^\d+$/),
  arguments: z.tuple([
    z.object({
      source: z.literal('cib'),
      optionsSets: z.array(z.string()).min(1),
      isStartOfSession: z.boolean(),
      message: z.object({
        author: z.literal('user'),
        text: z.string().min(1),
        messageType: z.enum(['Chat', 'SearchQuery']),
      }),
      conversationId: z.string(),
      participant: z.object({ id: z.string().min(1) }),
      previousMessages: z.array(Context),
    }),
  ]),
});
type Request = z.infer<typeof Request>;

/** Resolves when the question is answered or the client has disconnected. */
export async function chat(client: WebSocket, upgrade: Upgrade): Promise<void> {
  const body = await question(client);
  if (body === undefined) return;
  const exchange = upgrade.hear(body);
  const { success, data } = Request.safeParse(body);
  const refuse = (value: string, message: string) =>
    exchange.line.end(JSON.stringify(bingEndRecord('', { value, message })));
  if (!success) return refuse('InvalidRequest', 'The request is malformed.');
  const [asked] = data.arguments;
  const signature = exchange.conversations.get(asked.conversationId);
  if (signature === undefined) return refuse('InvalidSession', 'The conversation has expired.');
  if (new URLSearchParams(upgrade.query).get('sec_access_token') !== signature)
    return refuse('UnauthorizedRequest', 'The token does not belong to the conversation.');
  const messages = [{ role: 'user', text: questionOf(asked) }];
  const talk = { model: '', messages, maxTokens: undefined };
  return respondAsScripted(exchange, talk, { frames: createBingFrames, refused: (refusal) => refusal, errorBody });
}

/** Answers handshake and pings until there is a question; undefined when the client disconnects without one. */
function question(client: WebSocket): Promise<unknown> {
  return new Promise((resolve) => {
    client.on('close', () => resolve(undefined));
    client.on('message', (data: Buffer) => {
      for (const record of data.toString().split(SEPARATOR).slice(0, -1)) {
        const heard = asFields(JSON.parse(record));
        if (heard.protocol === 'json') client.send(`{}${SEPARATOR}`);
        else if (heard.type === 6) client.send(`{"type":6}${SEPARATOR}`);
        else resolve(heard);
      }
    });
  });
}

/** Without Bing's guards the question is in the context, as the user's last turn. */
function questionOf({ message, previousMessages }: Request['arguments'][0]): string {
  if (message.messageType === 'Chat') return message.text;
  const [context] = previousMessages;
  return context?.description.split('[user](#message)\n').at(-1)?.split('\n\n[')[0] ?? '';
}

const VALUES: Record<number, string> = {
  400: 'InvalidRequest',
  401: 'UnauthorizedRequest',
  403: 'UnauthorizedRequest',
  404: 'InvalidRequest',
  429: 'Throttled',
};

function errorBody({ status, message }: Refusal): unknown {
  return bingEndRecord('', { value: VALUES[status] ?? 'InternalError', message, error: message });
}
