import type { Db } from '@parley/db/client';
import type { Config } from '../../config/config.ts';
import type { PubSub } from '../../platform/pubsub.ts';

/** Told when an administrator has changed a provider. */
export const PROVIDERS_TOPIC = 'settings:providers';

/** What administrators set, under what the operator sets. */
export interface LiveSettings {
  /** Grows with each change. */
  version: number;
  /** The endpoint types that administrators switch off. */
  offTypes: readonly string[];
  /** What the environment and the yaml file set alone. */
  operators: Config;
  /** Reads what is saved; afterwards it holds. Never rejects: what cannot be read stays as it was. */
  reload(): Promise<void>;
}

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
export function rereadSaved(db: Db, saved: readonly { reload(): Promise<void> }[]): () => Promise<void> {
  return async () => {
    if (await db.lookForOthers()) await Promise.all(saved.map((one) => one.reload()));
  };
}
