// The chat room's side of the wire: three calls, and what their failures mean.
import type { AskInput } from '@parley/schema/ask';
import type { Convo } from '@parley/schema/convos';
import type { FinalEvent, GenerationEvent } from '@parley/schema/events';
import type { Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import { reasonOf, statusOf } from '../../lib/reason-of.ts';
import { api } from '../../trpc.ts';

export interface Asked {
  generationId: string;
  request: Message;
  reply: Message;
  convo: Convo;
}

export interface AttachListener {
  onEvent(event: GenerationEvent): void;
  /** The server or the socket gave it up; nothing more comes. */
  onError(error: unknown): void;
  onEnd(): void;
}

export interface Wire {
  ask(input: AskInput, signal: AbortSignal): Promise<Asked>;
  /** The end of the run if there was one to end. */
  abort(generationId: string): Promise<FinalEvent | null>;
  /** Reads a generation from its beginning. Returns what ends the reading. */
  attach(generationId: string, listener: AttachListener): () => void;
}

export const wire: Wire = {
  ask: (input, signal) => api.messages.ask.mutate(input, { signal }),
  abort: (generationId) => api.messages.abort.mutate({ generationId }),
  attach(generationId, { onEvent, onError, onEnd }) {
    const onData = ({ data }: { data: GenerationEvent }) => onEvent(data);
    const reading = api.messages.attach.subscribe({ generationId }, { onData, onError, onComplete: onEnd });
    return () => reading.unsubscribe();
  },
};

/** What a later attempt may not meet: nobody is served now, or not by the server, or the session is being renewed. */
const PASSING: readonly Reason['type'][] = ['unavailable', 'unauthorized', 'unexpected_answer'];

/** Why a reading is refused for good; null where it failed, or came too often, and may go well later. */
export function lastingRefusalOf(error: unknown): Reason | null {
  const status = statusOf(error);
  return status !== null && status < 500 && status !== 429 ? refusalOf(error) : null;
}

/** Why the server said no; null when it did not say so, and trying again may help. */
export function refusalOf(error: unknown): Reason | null {
  const reason = reasonOf(error);
  if (reason) return PASSING.includes(reason.type) ? null : reason;
  const status = statusOf(error);
  return status === null || status >= 502 ? null : { type: 'unknown', text: '' };
}
