// Tests of this room: tests/unit/web/search, tests/e2e/search.
import type { Convo } from '@parley/schema/convos/convos';
import type { SearchGroup, SearchPage } from '@parley/schema/search/search';
import type { ListChange } from '../convos/changes/apply-change.ts';

/**
 * The result pages after a change: a conversation keeps its row and gets its new title, and a deleted one disappears.
 * Whether it still matches only a new search can tell.
 */
export function applyChangeToResults(pages: SearchPage[], change: ListChange): SearchPage[] {
  if (change.type === 'removed') return changeGroup(pages, change.conversationId, () => []);
  if (change.type !== 'convo') return pages;
  return changeGroup(pages, change.convo.conversationId, (group) => [withConvo(group, change.convo)]);
}

/** Pages without the conversation keep their identity. */
function changeGroup(pages: SearchPage[], id: string, change: (group: SearchGroup) => SearchGroup[]): SearchPage[] {
  return pages.map((page) => {
    const index = page.groups.findIndex(({ convo }) => convo.conversationId === id);
    const group = page.groups[index];
    return group ? { ...page, groups: page.groups.toSpliced(index, 1, ...change(group)) } : page;
  });
}

function withConvo(group: SearchGroup, convo: Convo): SearchGroup {
  const { title } = convo;
  if (title === group.convo.title) return { ...group, convo };
  return { ...group, convo, titleParts: title === null ? [] : [{ text: title, isHit: false }] };
}
