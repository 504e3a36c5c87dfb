// Folds the event stream of a generation into a reply.
import type { CreatedEvent, FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import type { Message } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { pause, retryDelay } from '../../lib/retry.ts';
import { type ChatApi } from './chat-api.ts';
import type { Frames } from './frames.ts';
import { permanentRefusal } from '../../errors/refusal.ts';

interface FollowDeps {
  chatApi: ChatApi;
  frames: Frames;
}

export interface ReplyListener {
  onCreated(event: CreatedEvent): void;
  /** The reply has new content; called when it is drawn. */
  onReply(reply: Message): void;
  /** The generation and the subscription have ended. */
  onFinal(event: FinalEvent): void;
  /** The subscription is over: the generation is unknown (not started yet, or expired), or access is denied. */
  onRefused(reason: Reason): void;
}

/**
 * Follows a generation to its end. The transport resumes after a lost connection; after a failed subscription or a
 * missing event this starts again from the beginning. Returns a function that ends it early.
 */
export function followGeneration(
  { chatApi, frames }: FollowDeps,
  generationId: string,
  listener: ReplyListener,
): () => void {
  const ending = new AbortController();
  let folded: Message | null = null;
  let failures = 0;
  let detach = () => {};
  attach();
  return end;

  function attach(): void {
    let isOver = false;
    const giveUp = (error: unknown) => {
      if (isOver || ending.signal.aborted) return;
      isOver = true;
      detach();
      const reason = permanentRefusal(error);
      if (!reason) return void startAgain();
      end();
      listener.onRefused(reason);
    };
    detach = chatApi.attach(generationId, {
      onEvent: (event) => void (isOver || ending.signal.aborted || take(event, giveUp)),
      onError: giveUp,
      onEnd: () => giveUp(null),
    });
  }

  function take(event: GenerationEvent, giveUp: (error: unknown) => void): void {
    if (event.type === 'final') {
      end();
      return listener.onFinal(event);
    }
    if (event.type === 'created') {
      failures = 0;
      listener.onCreated(event);
    }
    try {
      folded = foldNext(folded, event);
      const reply = folded;
      frames.draw(generationId, () => listener.onReply(reply));
    } catch (error) {
      giveUp(error);
    }
  }

  async function startAgain(): Promise<void> {
    try {
      await pause(retryDelay(failures++), ending.signal);
      attach();
    } catch {
      // Aborted during the pause.
    }
  }

  function end(): void {
    ending.abort();
    frames.cancel(generationId);
    detach();
  }
}

/** @throws Error when something is missing before `event` */
function foldNext(folded: Message | null, event: GenerationEvent): Message {
  if (event.type === 'created') return event.reply;
  if (!folded) throw new Error(`${event.type} came before created`);
  return fold(folded, event);
}
