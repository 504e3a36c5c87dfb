// The server calls of an exchange: three calls, and what their errors mean.
import type { AskInput } from '@parley/schema/chat/ask';
import type { Convo } from '@parley/schema/convos/convos';
import type { FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import type { Message } from '@parley/schema/messages/messages';
import { api } from '../../trpc.ts';

export interface AskResult {
  generationId: string;
  request: Message;
  reply: Message;
  convo: Convo;
  /** Of the same question to further models, in their order. */
  others?: readonly AskResult[];
}

export interface AttachListener {
  onEvent(event: GenerationEvent): void;
  /** The server or the connection ended the stream permanently. */
  onError(error: unknown): void;
  onEnd(): void;
}

export interface ChatApi {
  ask(input: AskInput, signal: AbortSignal, others?: readonly { ask: AskInput }[]): Promise<AskResult>;
  /** The final event, if a run was there to abort. */
  abort(generationId: string): Promise<FinalEvent | null>;
  /** Subscribes to a generation from its beginning. Returns the unsubscribe function. */
  attach(generationId: string, listener: AttachListener): () => void;
}

export const chatApi: ChatApi = {
  ask: (input, signal, others) =>
    others ? askMany(input, others, signal) : api.messages.ask.mutate(input, { signal }),
  abort: (generationId) => api.messages.abort.mutate({ generationId }),
  attach(generationId, { onEvent, onError, onEnd }) {
    const onData = ({ data }: { data: GenerationEvent }) => onEvent(data);
    const reading = api.messages.attach.subscribe({ generationId }, { onData, onError, onComplete: onEnd });
    return () => reading.unsubscribe();
  },
};

async function askMany(lead: AskInput, others: readonly { ask: AskInput }[], signal: AbortSignal): Promise<AskResult> {
  const { conversationId, folderId, isTemporary } = lead;
  const asks = [lead, ...others.map(({ ask }) => ask)].map(
    ({ generationId, replyId, endpoint, model, settings, target }) => ({
      generationId,
      replyId,
      endpoint,
      model,
      settings,
      target,
    }),
  );
  const [first, ...rest] = await api.messages.askMany.mutate(
    { conversationId, folderId, isTemporary, asks },
    { signal },
  );
  return { ...(first as AskResult), others: rest };
}
