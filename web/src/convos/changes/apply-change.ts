import type { Change, Convo } from '@parley/schema/convos/convos';

/** One page of `convos.list`: newest `updatedAt` first, and the cursor of the next page. */
export interface ConvoPage {
  convos: Convo[];
  nextCursor: string | null;
}

/** A change from the feed, or one that this tab has just made itself. */
export type ListChange = Unnumbered<Change>;
type Unnumbered<C> = C extends Change ? Omit<C, 'seq'> : never;

/** Whether a convo belongs to a list. */
export type Belongs = (convo: Convo) => boolean;

/**
 * The loaded pages after a change. A convo that belongs to the list is in it at most once, in `updatedAt` order, and
 * keeps its row while its `updatedAt` stays the same. One that belongs below the loaded pages arrives with its own
 * page. Unchanged pages keep their identity. Other changes change nothing here: after
 * `reset` the lists are read again.
 */
export function applyChange(pages: ConvoPage[], change: ListChange, belongs: Belongs): ConvoPage[] {
  if (change.type === 'removed') return without(pages, change.conversationId);
  if (change.type !== 'convo') return pages;
  return belongs(change.convo) ? upsert(pages, change.convo) : without(pages, change.convo.conversationId);
}

function upsert(pages: ConvoPage[], convo: Convo): ConvoPage[] {
  const known = pages.flatMap((page) => page.convos).find((one) => one.conversationId === convo.conversationId);
  return known?.updatedAt === convo.updatedAt
    ? replace(pages, convo)
    : insert(without(pages, convo.conversationId), convo);
}

function replace(pages: ConvoPage[], convo: Convo): ConvoPage[] {
  return pages.map((page) => {
    const index = page.convos.findIndex((one) => one.conversationId === convo.conversationId);
    return index < 0 ? page : { ...page, convos: page.convos.with(index, convo) };
  });
}

function insert(pages: ConvoPage[], convo: Convo): ConvoPage[] {
  const into = pages.findIndex((page) => page.convos.some((one) => isNotNewer(one, convo)));
  if (into >= 0) {
    return pages.map((page, index) => (index === into ? insertInto(page, convo) : page));
  }
  return pages.map((page, index) =>
    index === pages.length - 1 && page.nextCursor === null ? { ...page, convos: [...page.convos, convo] } : page,
  );
}

function insertInto(page: ConvoPage, convo: Convo): ConvoPage {
  const index = page.convos.findIndex((one) => isNotNewer(one, convo));
  return { ...page, convos: page.convos.toSpliced(index, 0, convo) };
}

function isNotNewer(one: Convo, than: Convo): boolean {
  return Date.parse(one.updatedAt) <= Date.parse(than.updatedAt);
}

function without(pages: ConvoPage[], conversationId: string): ConvoPage[] {
  return pages.map((page) => {
    const convos = page.convos.filter((one) => one.conversationId !== conversationId);
    return convos.length === page.convos.length ? page : { ...page, convos };
  });
}
