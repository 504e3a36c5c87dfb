// Following a user's change feed in tests: what was sent, and the list that a browser would make of it.
import type { Change, Convo } from '@parley/schema/convos/convos';
import { followChanges } from '@parley/server/feed/follow-changes';
import type { PubSub } from '@parley/server/platform/pubsub';
import { expect, onTestFinished } from 'vitest';
import type { TestServices } from '../../support/services.ts';

export interface Follower {
  told: Change[];
  /** The conversations as this follower knows them. */
  list: Map<string, Convo>;
  /** The cursor to resume from. */
  cursor(): number | null;
  /** Resolves when something that was sent fits. */
  until(fits: (change: Change) => boolean): Promise<void>;
  /** Also done when the test ends. */
  leave(): Promise<void>;
}

/** Follows from `afterSeq`, or from now on when it is null. What had changed by now has been sent when it resolves. */
export async function follow(
  services: Pick<TestServices, 'deps'>,
  userId: string,
  afterSeq: number | null = null,
): Promise<Follower> {
  const leaving = new AbortController();
  const told: Change[] = [];
  const list = new Map<string, Convo>();
  let waits = () => {};
  const upToDate = new Promise<void>((resolve) => (waits = resolve));
  const pubsub: PubSub = {
    ...services.deps.pubsub,
    subscribe(topic) {
      const subscription = services.deps.pubsub.subscribe(topic);
      return { ...subscription, next: (signal) => (waits(), subscription.next(signal)) };
    },
  };
  const changes = followChanges({ ...services.deps, pubsub }, userId, afterSeq, leaving.signal);
  // The first says from where on nothing is missed.
  if (afterSeq === null) expect((await changes.next()).value).toMatchObject({ type: 'reset' });
  const reading = (async () => {
    for await (const change of changes) {
      told.push(change);
      apply(list, change);
    }
  })();
  onTestFinished(leave);
  await Promise.race([upToDate, reading]);
  return {
    told,
    list,
    cursor: () => told.at(-1)?.seq ?? afterSeq,
    until: (fits) => expect.poll(() => told.some(fits), { interval: 10 }).toBe(true),
    leave,
  };

  async function leave(): Promise<void> {
    leaving.abort();
    await reading;
  }
}

function apply(list: Map<string, Convo>, change: Change): void {
  switch (change.type) {
    case 'convo':
      list.set(change.convo.conversationId, change.convo);
      return;
    case 'removed':
      list.delete(change.conversationId);
      return;
    case 'reset':
      list.clear();
      return;
    case 'draft':
    case 'presets':
    case 'keys':
    case 'assistants':
    case 'settings':
    case 'folders':
    case 'queue':
    case 'schedules':
    case 'endpoints':
      return;
    default:
      change satisfies never;
  }
}
