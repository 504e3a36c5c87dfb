// Names that are hidden until a person has chosen: letters, in an order by lot that stays the same.
import { atom } from 'jotai';
import { personalAtom } from '../lib/personal-data.ts';
import type { ColumnPath } from './column-paths.ts';

const storedAtom = personalAtom<ReadonlySet<string>>(() => new Set());

/** The conversations whose names are hidden. */
export const hiddenNamesAtom = atom(
  (get) => get(storedAtom),
  (get, set, conversationId: string, isHidden: boolean) => {
    const hidden = new Set(get(storedAtom));
    if (isHidden) hidden.add(conversationId);
    else hidden.delete(conversationId);
    set(storedAtom, hidden);
  },
);

/** In the order of their first messages' ids, which are random and stay as the columns grow. */
export function byLot(columns: readonly ColumnPath[]): ColumnPath[] {
  return columns.toSorted((a, b) => (lotOf(a) < lotOf(b) ? -1 : 1));
}

function lotOf({ path, reply }: ColumnPath): string {
  // Backwards: ids that are made at once may begin alike.
  return [...(path[0] ?? reply).messageId].toReversed().join('');
}

export function columnLetter(place: number): string {
  return String.fromCodePoint(65 + place);
}
