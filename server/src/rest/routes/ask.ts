// REST handlers for asking and editing (docs/rest-compat.md, Streaming: ask, edit, abort).
import type { Target, AskInput } from '@parley/schema/chat/ask';
import { cleanText } from '@parley/schema/clean-text';
import type { CreatedEvent } from '@parley/schema/generation/events';
import { messageText, type Message } from '@parley/schema/messages/messages';
import type { Api } from '../../router.ts';
import { bodyConversationId, trackPendingAsk } from '../compat/pending-asks.ts';
import { readAsk, type AskPath, type ReadAsk } from '../compat/ask-input.ts';
import { exchangeFrames } from '../present/exchange-frames.ts';
import { refusedRequest } from '../errors.ts';
import { rejectionFrames, type Rejection } from '../present/rejection-frames.ts';
import type { Call } from '../route.ts';
import { eventStream } from '../sse.ts';
import { endpointTable, type EndpointType } from '@parley/schema/catalog/endpoints';
import type { Settings } from '@parley/schema/catalog/params';
import { replySender } from '@parley/schema/catalog/sender';
import { parseSettings } from '@parley/schema/settings/settings';

type Begun = ReadAsk & { begun: Pick<CreatedEvent, 'request' | 'reply'> };
type Asked = Begun | Rejection;

/** Asks, and responds with the stream of the exchange. A client that disconnects ends the stream, not the run. */
export function ask(path: Omit<AskPath, 'isEdit'>) {
  return streamReply({ ...path, isEdit: false });
}

/** Continues an answer, as it is or from an edited text. */
export function edit(path: Omit<AskPath, 'isEdit'>) {
  return streamReply({ ...path, isEdit: true });
}

/** `present` makes the frames of an exchange that has begun. */
export function streamReply(path: AskPath, present = exchangeFrames) {
  return async (api: Api, call: Call): Promise<Response> => {
    const asked = await begin(api, call, path);
    return eventStream('begun' in asked ? present(api, call, asked.input, asked.begun) : rejectionFrames(asked));
  };
}

/**
 * Reports a refusal in the stream, since clients accept only status 200. They reload the conversation afterwards, so
 * the question is stored with the refusal.
 */
async function begin(api: Api, { body, userId }: Call, path: AskPath): Promise<Asked> {
  const reading = readAsk(api, userId, path, body);
  const begun = reading.then((read) =>
    beginRead(api, { read, from: fromOf(body) }, () => readAsk(api, userId, path, withoutId(body))),
  );
  trackPendingAsk(userId, { conversationId: bodyConversationId(body), reading, begun });
  try {
    return await begun;
  } catch (error) {
    const refused = refusedRequest(error);
    if (!refused) throw error;
    const read = await reading.catch(() => null);
    return { read, refused, sender: read ? await senderFor(api, path.type, read.input) : '' };
  }
}

/** Clients reload a refused question, have no question about a call, and send when their key expires. */
function fromOf({ key }: { key?: unknown }) {
  return { keepsRefused: true, callsUnasked: true, keyExpiresAt: typeof key === 'string' ? key : undefined };
}

/** Starts the ask. If its id already belongs to another ask, ignores the id and reads the body again. */
async function beginRead(
  api: Api,
  { read, from }: { read: ReadAsk; from: ReturnType<typeof fromOf> },
  readAnew: () => Promise<ReadAsk>,
): Promise<Begun> {
  const begun = await api.messages.ask({ ...read.input, ...from });
  if (isReplyTo(read.input.target, begun.request)) return { ...read, begun };
  const { input, question } = await readAnew();
  return { input, question, begun: await api.messages.ask({ ...input, ...from }) };
}

function isReplyTo(target: Target, request: Message): boolean {
  if (target.kind !== 'send') return true;
  return target.parentMessageId === request.parentMessageId && cleanText(target.text) === messageText(request);
}

function withoutId(body: object): object {
  return { ...body, messageId: null };
}

/** The sender to show for a refused ask: the one that would have answered. */
async function senderFor(
  api: Api,
  type: EndpointType,
  { endpoint, model: asked, settings }: AskInput,
): Promise<string> {
  const offered = await api.endpoints.list();
  const model = asked ?? endpointTable[type].defaultModel;
  return replySender({
    endpointType: type,
    model,
    settings: understood(type, settings, model),
    modelDisplayLabel: offered[endpoint]?.modelDisplayLabel,
  });
}

/** The settings; none if they are invalid, which is not why the ask was refused. */
function understood(type: EndpointType, settings: AskInput['settings'], model: string): Settings {
  try {
    return parseSettings(type, settings, model);
  } catch {
    return {};
  }
}
