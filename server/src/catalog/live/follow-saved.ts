import type { Db } from '@parley/db/client';
import type { PubSub } from '../../platform/pubsub.ts';
import type { LiveEndpoints } from './live-endpoints.ts';

/** Told when an administrator has changed a provider. */
export const PROVIDERS_TOPIC = 'settings:providers';

/** Reads again whenever something has changed, in any process, until the returned function is called. */
export function followTopic(pubsub: PubSub, topic: string, reload: () => Promise<void>): () => void {
  const ending = new AbortController();
  const subscription = pubsub.subscribe(topic);
  void (async () => {
    while (!ending.signal.aborted) {
      await subscription.next(ending.signal);
      if (!ending.signal.aborted) await reload();
    }
    subscription.end();
  })();
  return () => ending.abort();
}

/** From time to time: a notification may be lost. Where this process is alone there is none. */
export function rereadSaved({ db, endpoints }: { db: Db; endpoints: LiveEndpoints }): () => Promise<void> {
  return async () => {
    if (await db.lookForOthers()) await endpoints.reload();
  };
}
