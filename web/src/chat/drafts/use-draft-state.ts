import { atom, useAtomValue } from 'jotai';
import { useMemo } from 'react';
import { areUploaded, areUploading } from './draft-attachments.ts';
import type { DraftStore } from './draft-store.ts';

/** The draft state that the composer renders from. It excludes the text, which changes on every key press. */
export function useDraftState({ draftAtom, attachmentsAtom, local }: DraftStore, key: string) {
  const state = useMemo(() => {
    const draft = draftAtom(key);
    const files = attachmentsAtom(key);
    const entry = local.entry(key);
    return {
      isEmpty: atom((get) => get(draft) === ''),
      /** There is something to send, and all of it is here. */
      isComplete: atom((get) => areUploaded(get(files)) && (get(files).length > 0 || get(draft).trim() !== '')),
      isUploading: atom((get) => areUploading(get(files))),
      hasOffer: atom((get) => get(entry)?.offered != null),
      hasFiles: atom((get) => get(files).length > 0),
    };
  }, [draftAtom, attachmentsAtom, local, key]);
  return {
    isEmpty: useAtomValue(state.isEmpty),
    isComplete: useAtomValue(state.isComplete),
    isUploading: useAtomValue(state.isUploading),
    hasOffer: useAtomValue(state.hasOffer),
    hasFiles: useAtomValue(state.hasFiles),
  };
}
