// The side panel's width, in percent of what it shares with the chat, and its storage: under the key and in the format of
// existing clients.
import { readStored } from '../lib/storage.ts';

export const LAYOUT = 'react-resizable-panels:layout';

/** Percent. The chat keeps 60, above its minimum of 30. */
export const SMALLEST = 20;
export const LARGEST = 40;

/** The stored share. */
export function readShare(): number {
  return readStored(LAYOUT, SMALLEST, (stored) =>
    Array.isArray(stored) ? nearestShare(Number(stored[1])) : undefined,
  );
}

/** The allowed share closest to `wanted`; a panel that an earlier version had collapsed has the smallest. */
export function nearestShare(wanted: number): number {
  return wanted >= SMALLEST ? Math.min(LARGEST, wanted) : SMALLEST;
}

/** As a CSS width: never less than its text needs. */
export function panelWidthCss(share: number): string {
  return `max(${share}%, 15rem)`;
}
