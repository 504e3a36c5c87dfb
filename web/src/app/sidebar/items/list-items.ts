// The sidebar's list as one flat array of headings and rows, for virtualization.
import type { Convo } from '@parley/schema/convos/convos';
import { groupByDate, type DateGroupId } from './group-by-date.ts';

export interface ListGroup {
  id: DateGroupId | 'pinned';
  /** The localized month or year; null where the id implies the name. */
  name: string | null;
  size: number;
}

export type ListItem =
  | { kind: 'heading'; key: string; group: ListGroup }
  /** `position` counts from 1 within the group. */
  | { kind: 'row'; key: string; group: ListGroup; convo: Convo; position: number };

/** Headings, each followed by its rows: pinned first, then by date. Each convo occurs once. */
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
      position: index + 1,
    })),
  ];
}
