// What this tab asked for and the server has not answered yet. The list shows it as done; nothing has to be undone in
// the cache when it fails.
import type { Convo } from '@parley/schema/convos';
import { atom } from 'jotai';

/** conversationId to the title that is being saved. */
export const pendingTitlesAtom = atom<ReadonlyMap<string, string>>(new Map());

/** The convos that are leaving the list they stand in: being deleted, archived or brought back. */
export const pendingRemovalsAtom = atom<ReadonlySet<string>>(new Set<string>());

/** The convos as they will be once all pending renames and removals have come true. */
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

/** Leaves a newer pending title of the same convo alone. */
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
