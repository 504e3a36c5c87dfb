// Tests of this room: tests/integration/chat, tests/e2e/chat.

// One exchange (question and answer) from ask to `final`, as the routers use it.
import type { CreatedEvent, Entry, FinalEvent } from '@parley/schema/generation/events';
import type { AskInput } from '@parley/schema/chat/ask';
import type { AskManyInput } from '@parley/schema/chat/ask-many';
import { createBegin, type AskedFrom, type BeginDeps } from './begin/begin.ts';
import { createAttach, type AttachDeps } from './attach.ts';
import { createPendingAsks } from '../generation/pending-asks.ts';
import { createRetryAfterRecovery, type RetryAfterRecovery } from './retry-after-recovery.ts';
import { createStartRun, type RunDeps } from './run.ts';
import { createStop } from './stop.ts';

export interface AskService {
  /** Begins an exchange and returns its `created` event; the run continues in the background. */
  ask(userId: string, input: AskInput, from?: AskedFrom): Promise<CreatedEvent>;
  /** Asks several models the same question; gives one event for each, in their order. */
  askMany(userId: string, input: AskManyInput, from?: Pick<AskedFrom, 'client'>): Promise<CreatedEvent[]>;
  /** Gives the events of a generation after `afterSeq`, up to `final`. Waits briefly if its ask has not arrived yet. */
  attach(userId: string, generationId: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<Entry, void>;
  /** Stops a generation and returns its `final` event; null when nothing was running. */
  stop(userId: string, generationId: string, signal?: AbortSignal): Promise<FinalEvent | null>;
  retryAfterRecovery: RetryAfterRecovery;
}

export type AskServiceDeps = Omit<BeginDeps, 'startRun' | 'retryAfterRecovery'> &
  RunDeps &
  Omit<AttachDeps, 'pendingAsks'>;

export function createAskService(deps: AskServiceDeps): AskService {
  const { db, runs, generationLog, pubsub, timings } = deps;
  pubsub.on('stop:', (generationId) => void runs.stop(generationId));
  const retryAfterRecovery = createRetryAfterRecovery(deps);
  const startRun = createStartRun(deps);
  const pendingAsks = createPendingAsks();
  const begin = createBegin({ ...deps, retryAfterRecovery, startRun });
  const attach = createAttach({ ...deps, pendingAsks });
  const stop = createStop({ db, runs, generationLog, attach, timings });
  return {
    ask: async (userId, input, from) => {
      const [created] = await track(userId, [input], from);
      if (!created) throw new Error('An ask has begun without a reply');
      return created;
    },
    askMany: (userId, { conversationId, folderId, isTemporary, asks }, from) =>
      track(
        userId,
        asks.map((ask) => ({ ...ask, conversationId, folderId, isTemporary })),
        from,
      ),
    attach,
    stop,
    retryAfterRecovery,
  };
  function track(userId: string, inputs: readonly AskInput[], from?: AskedFrom): Promise<CreatedEvent[]> {
    const ids = inputs.map(({ generationId }) => generationId);
    return pendingAsks.track(userId, ids, () => begin(userId, inputs, from));
  }
}
