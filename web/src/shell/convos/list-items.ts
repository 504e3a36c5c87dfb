// The sidebar's list as one flat run of headings and rows, of which only those near the view are drawn.
import type { Convo } from '@parley/schema/convos';
import { groupByDate, type DateGroupId } from './group-by-date.ts';

export interface ListGroup {
  id: DateGroupId | 'pinned';
  /** The month or the year in the reader's words; null where the id says it. */
  name: string | null;
  size: number;
}

export type ListItem =
  | { kind: 'heading'; key: string; group: ListGroup }
  /** `place` counts from 1 within the group. */
  | { kind: 'row'; key: string; group: ListGroup; convo: Convo; place: number };

/** Headings, each followed by its rows: the pinned ones first, then by date. A convo stands in it once. */
export function listItems(pinned: Convo[], convos: Convo[], now: Date, locale: string): ListItem[] {
  const above = new Set(pinned.map((convo) => convo.conversationId));
  const others = above.size === 0 ? convos : convos.filter((convo) => !above.has(convo.conversationId));
  const dated = groupByDate(others, now, locale).flatMap((group) => itemsOf(group.id, group.name, group.convos));
  return pinned.length === 0 ? dated : [...itemsOf('pinned', null, pinned), ...dated];
}

function itemsOf(id: ListGroup['id'], name: string | null, convos: Convo[]): ListItem[] {
  const group = { id, name, size: convos.length };
  return [
    { kind: 'heading', key: `group ${id}`, group },
    ...convos.map((convo, index): ListItem => ({
      kind: 'row',
      key: convo.conversationId,
      group,
      convo,
      place: index + 1,
    })),
  ];
}
