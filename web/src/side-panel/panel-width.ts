// The width of the open side panel, in percent of the chat's frame, and its storage: under the key and in the format of
// existing clients.
import { readStored } from '../lib/storage.ts';

export const LAYOUT = 'react-resizable-panels:layout';

/** Percent. Beside the widest panel and the strip of icons, the chat keeps more than half. */
export const SMALLEST = 20;
export const LARGEST = 40;

/** The stored share. */
export function readShare(): number {
  return readStored(LAYOUT, SMALLEST, (stored) =>
    Array.isArray(stored) ? nearestShare(Number(stored[1])) : undefined,
  );
}

/** The allowed share closest to `wanted`. Existing clients store that of the strip for a collapsed panel. */
export function nearestShare(wanted: number): number {
  return wanted >= SMALLEST ? Math.min(LARGEST, wanted) : SMALLEST;
}

/** As a CSS width: never less than its text needs. */
export function panelWidthCss(share: number): string {
  return `max(${share}%, 15rem)`;
}
