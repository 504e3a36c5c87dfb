import type { AskInput } from '@parley/schema/ask';
import type { CreatedEvent } from '@parley/schema/events';
import type { Api } from '../router.ts';
import { readAsk, type AskType } from './ask-input.ts';
import { framesOf } from './exchange-frames.ts';
import { refusedWith } from './refused.ts';
import { rejectionFrames, type Rejection } from './rejection-frames.ts';
import type { Call } from './row.ts';
import { eventStream } from './sse.ts';

type Asked = { input: AskInput; begun: Pick<CreatedEvent, 'request' | 'reply'> } | Rejection;

/** Asks, and answers with the stream of the exchange. A client that leaves ends the stream, not the run. */
export function ask(type: AskType) {
  return async (api: Api, call: Call): Promise<Response> => {
    const asked = await begin(api, call, type);
    return eventStream('begun' in asked ? framesOf(api, call, asked.input, asked.begun) : rejectionFrames(type, asked));
  };
}

/** A refusal becomes part of the stream: clients take no status but 200 for an answer. */
async function begin(api: Api, { body, userId }: Call, type: AskType): Promise<Asked> {
  let input: AskInput | null = null;
  try {
    input = await readAsk(api, userId, type, body);
    return { input, begun: await api.messages.ask(input) };
  } catch (error) {
    const refused = refusedWith(error);
    if (refused) return { input, refused };
    throw error;
  }
}
