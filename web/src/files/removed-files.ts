// Files that were deleted while this page is open. It still has their images in memory.
import { atom, useAtomValue } from 'jotai';
import { getDefaultStore } from 'jotai/vanilla';
import { useMemo } from 'react';
import { personalAtom } from '../lib/personal-data.ts';

const removedAtom = personalAtom<ReadonlySet<string>>(() => new Set());

export function markRemoved(fileIds: readonly string[]): void {
  const store = getDefaultStore();
  store.set(removedAtom, new Set([...store.get(removedAtom), ...fileIds]));
}

/** Whether this page knows that the file was deleted. */
export function useIsRemoved(fileId: string): boolean {
  return useAtomValue(useMemo(() => atom((get) => get(removedAtom).has(fileId)), [fileId]));
}
