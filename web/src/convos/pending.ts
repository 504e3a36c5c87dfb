// Requests of this tab that the server has not answered yet. The list shows them as done; a failure needs no rollback
// of the cache.
import type { Convo } from '@parley/schema/convos/convos';
import { personalAtom } from '../lib/forget-person.ts';

/** conversationId to the title being saved. */
export const pendingTitlesAtom = personalAtom<ReadonlyMap<string, string>>(() => new Map());

/** Convos that are leaving their list: being deleted, archived or restored. */
export const pendingRemovalsAtom = personalAtom<ReadonlySet<string>>(() => new Set());

/** The convos with all pending renames and removals applied. */
export function withPending(
  convos: Convo[],
  titles: ReadonlyMap<string, string>,
  removals: ReadonlySet<string>,
): Convo[] {
  if (titles.size === 0 && removals.size === 0) return convos;
  return convos
    .filter((convo) => !removals.has(convo.conversationId))
    .map((convo) => {
      const title = titles.get(convo.conversationId);
      return title === undefined ? convo : { ...convo, title };
    });
}

export function withTitle(
  titles: ReadonlyMap<string, string>,
  conversationId: string,
  title: string,
): Map<string, string> {
  return new Map(titles).set(conversationId, title);
}

/** Keeps a newer pending title of the same convo. */
export function withoutTitle(
  titles: ReadonlyMap<string, string>,
  conversationId: string,
  title: string,
): Map<string, string> {
  return new Map([...titles].filter(([id, pending]) => id !== conversationId || pending !== title));
}

export function withRemovals(removals: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  return new Set([...removals, ...ids]);
}

export function withoutRemovals(removals: ReadonlySet<string>, ids: readonly string[]): Set<string> {
  const settled = new Set(ids);
  return new Set([...removals].filter((id) => !settled.has(id)));
}
