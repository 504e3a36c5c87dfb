// How wide the side panel is, in percent of what it shares with the chat, and where that is kept: under the names and in
// the shapes that existing clients use. The first screen reads this, so it knows nothing else.
import { readStored } from '../lib/persist.ts';

export const LAYOUT = 'react-resizable-panels:layout';
export const HIDDEN = 'fullPanelCollapse';
export const HIDDEN_BY_SETTING = 'hideSidePanel';

/** Percent. A panel is collapsed to the first, or between the others. The chat keeps 60, more than the 30 it must have. */
export const COLLAPSED = 3;
export const SMALLEST = 20;
export const LARGEST = 40;

/** The share as it was left. */
export function readShare(): number {
  return readStored(LAYOUT, COLLAPSED, (stored) =>
    Array.isArray(stored) ? nearestShare(Number(stored[1])) : undefined,
  );
}

export function readFlag(key: string, fallback: boolean): boolean {
  return readStored(key, fallback, (stored) => (typeof stored === 'boolean' ? stored : undefined));
}

/** The share that a panel may have nearest to the one that is wanted; what is too little to be read is collapsed. */
export function nearestShare(wanted: number): number {
  if (!(wanted >= (COLLAPSED + SMALLEST) / 2)) return COLLAPSED;
  return Math.min(LARGEST, Math.max(SMALLEST, wanted));
}

/** As the style sheet takes it: never less than its buttons or its words need. */
export function widthOf(share: number): string {
  return `max(${share}%, ${share === COLLAPSED ? 45 : 240}px)`;
}
