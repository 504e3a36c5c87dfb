import { useState } from 'react';
import type { PaletteEntry } from './palette-entry.ts';

/** The number of entries that Page Up and Page Down skip. */
const PAGE_STEP = 6;

/** The entry that Enter picks: the first, or the one last highlighted while it is in the list. */
export function useActiveEntry(entries: readonly PaletteEntry[], query: string) {
  const [pointed, setPointed] = useState<{ id: string; query: string } | null>(null);
  const found = entries.findIndex(({ id }) => id === pointed?.id && query === pointed.query);
  const index = Math.max(found, 0);

  /** Whether the key moved the highlight. */
  function step(key: string): boolean {
    const last = entries.length - 1;
    const to: Record<string, number> = {
      ArrowDown: index === last ? 0 : index + 1,
      ArrowUp: index === 0 ? last : index - 1,
      PageDown: Math.min(index + PAGE_STEP, last),
      PageUp: Math.max(index - PAGE_STEP, 0),
    };
    const next = to[key];
    if (next === undefined) return false;
    point(entries[next]);
    return true;
  }

  function point(entry: PaletteEntry | undefined): void {
    setPointed(entry ? { id: entry.id, query } : null);
  }

  return { active: entries[index], point, step };
}
