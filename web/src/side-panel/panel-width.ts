// The side panel's width, in percent of what it shares with the chat, and its storage: under the keys and in the format
// of existing clients. The first screen loads this file, so it imports little.
import { readStored } from '../lib/storage.ts';

export const LAYOUT = 'react-resizable-panels:layout';
export const HIDDEN = 'fullPanelCollapse';
export const HIDDEN_BY_SETTING = 'hideSidePanel';

/** Percent. The panel is collapsed at the first, or between the others. The chat keeps 60, above its minimum of 30. */
export const COLLAPSED = 3;
export const SMALLEST = 20;
export const LARGEST = 40;

/** The stored share. */
export function readShare(): number {
  return readStored(LAYOUT, COLLAPSED, (stored) =>
    Array.isArray(stored) ? nearestShare(Number(stored[1])) : undefined,
  );
}

/** Hidden at first: a collapsed panel shows only where a person has drawn it to its buttons. */
export function readHidden(): boolean {
  return readFlag(HIDDEN, readShare() === COLLAPSED);
}

export function readFlag(key: string, fallback: boolean): boolean {
  return readStored(key, fallback, (stored) => (typeof stored === 'boolean' ? stored : undefined));
}

/** The allowed share closest to `wanted`; a share too small to read collapses the panel. */
export function nearestShare(wanted: number): number {
  if (!(wanted >= (COLLAPSED + SMALLEST) / 2)) return COLLAPSED;
  return Math.min(LARGEST, Math.max(SMALLEST, wanted));
}

/** As a CSS width: never less than its buttons or its text need. */
export function panelWidthCss(share: number): string {
  return `max(${share}%, ${share === COLLAPSED ? 45 : 240}px)`;
}
