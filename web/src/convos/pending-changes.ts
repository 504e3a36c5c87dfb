// Requests of this tab that the server has not answered yet. The list shows them as done; a failure needs no rollback
// of the cache.
import type { Convo } from '@parley/schema/convos/convos';
import { personalAtom } from '../lib/personal-data.ts';

/** conversationId to the title being saved. */
export const pendingTitlesAtom = personalAtom<ReadonlyMap<string, string>>(() => new Map());

/** conversationId to the first words of its question, which stand for a title until there is one. */
export const firstWordsAtom = personalAtom<ReadonlyMap<string, string>>(() => new Map());

/** Characters of a question that stand for a title. */
const WORDS_CHARS_MAX = 60;

/** The first words of a question, on one line; null if it has none. */
export function firstWords(question: string): string | null {
  const line = question
    .slice(0, 4 * WORDS_CHARS_MAX)
    .trim()
    .replaceAll(/\s+/g, ' ');
  if (line.length <= WORDS_CHARS_MAX) return line || null;
  const cut = line.slice(0, WORDS_CHARS_MAX + 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > WORDS_CHARS_MAX / 2 ? cut.slice(0, end) : cut.slice(0, WORDS_CHARS_MAX)).toWellFormed().replace(/\uFFFD$/, '')}…`;
}

/** Convos that are leaving their list: being deleted, archived or restored. */
export const pendingRemovalsAtom = personalAtom<ReadonlySet<string>>(() => new Set());

const NONE: ReadonlyMap<string, string> = new Map();

/** The convos with all pending renames and removals applied; `words` stand for titles that do not exist yet. */
export function withPending(
  convos: Convo[],
  titles: ReadonlyMap<string, string>,
  removals: ReadonlySet<string>,
  words: ReadonlyMap<string, string> = NONE,
): Convo[] {
  if (titles.size === 0 && removals.size === 0 && words.size === 0) return convos;
  return convos
    .filter((convo) => !removals.has(convo.conversationId))
    .map((convo) => {
      const title =
        titles.get(convo.conversationId) ?? (convo.title === null ? words.get(convo.conversationId) : undefined);
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
