import type { CreatedEvent } from '@parley/schema/events';
import type { Api } from '../router.ts';
import { readAsk, type AskPath, type AskType, type Read } from './ask-input.ts';
import { framesOf } from './exchange-frames.ts';
import { refusedWith } from './refused.ts';
import { rejectionFrames, type Rejection } from './rejection-frames.ts';
import type { Call } from './row.ts';
import { senderFor } from './sender-for.ts';
import { eventStream } from './sse.ts';

type Asked = (Read & { begun: Pick<CreatedEvent, 'request' | 'reply'> }) | Rejection;

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
  let read: Read | null = null;
  try {
    read = await readAsk(api, userId, path, body);
    return { ...read, begun: await api.messages.ask({ ...read.input, keepsRefused: true }) };
  } catch (error) {
    const refused = refusedWith(error);
    if (refused) return { read, refused, sender: read ? await senderFor(api, path.type, read.input) : '' };
    throw error;
  }
}
