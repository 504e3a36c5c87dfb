import type { Target } from '@parley/schema/ask';
import { cleanText } from '@parley/schema/clean-text';
import type { CreatedEvent } from '@parley/schema/events';
import { textOf, type Message } from '@parley/schema/messages';
import type { Api } from '../router.ts';
import { conversationOf, keepArriving } from './arriving.ts';
import { readAsk, type AskPath, type AskType, type Read } from './ask-input.ts';
import { framesOf } from './exchange-frames.ts';
import { refusedWith } from './refused.ts';
import { rejectionFrames, type Rejection } from './rejection-frames.ts';
import type { Call } from './row.ts';
import { senderFor } from './sender-for.ts';
import { eventStream } from './sse.ts';

type Begun = Read & { begun: Pick<CreatedEvent, 'request' | 'reply'> };
type Asked = Begun | Rejection;

/** Asks, and answers with the stream of the exchange. A client that leaves ends the stream, not the run. */
export function ask(type: AskType) {
  return answerTo({ type, isEdit: false });
}

/** The same for an answer that is to go on, as it is or from an edited text. */
export function goOn(type: AskType) {
  return answerTo({ type, isEdit: true });
}

function answerTo(path: AskPath) {
  return async (api: Api, call: Call): Promise<Response> => {
    const asked = await begin(api, call, path);
    return eventStream('begun' in asked ? framesOf(api, call, asked.input, asked.begun) : rejectionFrames(asked));
  };
}

/**
 * A refusal becomes part of the stream: clients take no status but 200 for an answer. They read the conversation anew
 * afterwards, so the question is kept there with it.
 */
async function begin(api: Api, { body, userId }: Call, path: AskPath): Promise<Asked> {
  const reading = readAsk(api, userId, path, body);
  const begun = reading.then((read) => beginRead(api, read, () => readAsk(api, userId, path, withoutId(body))));
  keepArriving(userId, { conversationId: conversationOf(body), reading, begun });
  try {
    return await begun;
  } catch (error) {
    const refused = refusedWith(error);
    if (!refused) throw error;
    const read = await reading.catch(() => null);
    return { read, refused, sender: read ? await senderFor(api, path.type, read.input) : '' };
  }
}

/** Begins what was read. An id under which something else was asked before counts as none: then it is read anew. */
async function beginRead(api: Api, read: Read, readAnew: () => Promise<Read>): Promise<Begun> {
  const begun = await api.messages.ask({ ...read.input, keepsRefused: true });
  if (isAnswerTo(read.input.target, begun.request)) return { ...read, begun };
  const { input, question } = await readAnew();
  return { input, question, begun: await api.messages.ask({ ...input, keepsRefused: true }) };
}

function isAnswerTo(target: Target, request: Message): boolean {
  if (target.kind !== 'send') return true;
  return target.parentMessageId === request.parentMessageId && cleanText(target.text) === textOf(request);
}

function withoutId(body: object): object {
  return { ...body, messageId: null };
}
