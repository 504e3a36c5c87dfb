import { refuse } from '../errors.ts';
import type { Api } from '../router.ts';
import type { AskInput } from '@parley/schema/ask';
import { readAsk, type AskType } from './ask-input.ts';
import { framesOf } from './exchange-frames.ts';
import { rejectionFrames } from './rejection-frames.ts';
import { refusedWith, type Refused } from './refused.ts';
import type { Call } from './row.ts';
import { eventStream } from './sse.ts';

/** Asks and answers with the stream of the exchange. A client that leaves ends the stream, not the run. */
export function ask(type: AskType) {
  return async (api: Api, call: Call): Promise<Response> => {
    const { userId } = call;
    if (userId === '') refuse({ type: 'unauthorized' });
    const asked = await begin(api, call, type);
    return eventStream('refused' in asked ? rejectionFrames(type, asked) : framesOf(api, call, asked.input, asked.begun));
  };
}

/** What the client is told of a refusal is said in the stream as well: it takes no other status for an answer. */
async function begin(api: Api, { body, userId }: Call, type: AskType) {
  let input: AskInput | null = null;
  try {
    input = await readAsk(api, userId, type, body);
    return { input, begun: await api.messages.ask(input) };
  } catch (error) {
    const refused: Refused | null = error instanceof Error ? refusedWith(error) : null;
    if (!refused || refused.reason.type === 'unauthorized') throw error;
    return { input, refused };
  }
}
