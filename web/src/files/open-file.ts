// Which file a person looks at beside the chat. Where there is no room beside it, the file is a dialog.
import type { Citation } from '@parley/schema/messages/messages';
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { openDialogAtom } from '../dialogs/open-dialog.ts';
import type { CitedPassage, ViewedFile } from '../dialogs/viewed-file.ts';
import { personalAtom } from '../lib/personal-data.ts';
import { session } from '../session/current-session.ts';

/** Chat and file need this much. */
export const ROOM_FOR_COLUMN = '(min-width: 1024px)';

export interface OpenFile {
  file: ViewedFile;
  cited: CitedPassage | null;
  /** The element that had the focus. */
  opener: Element | null;
}

/** The file beside the chat. */
export const openFileAtom = personalAtom<OpenFile | null>(() => null);

/** Whether a chat is on screen that a file can stand beside. */
export const hasChatAtom = atom(false);

const showFileAtom = atom(null, (get, set, file: ViewedFile, cited: CitedPassage | null) => {
  const open = get(openDialogAtom);
  if (!open && get(hasChatAtom) && window.matchMedia(ROOM_FOR_COLUMN).matches)
    return set(openFileAtom, { file, cited, opener: document.activeElement });
  // The dialog that the file is opened from, such as the list of files, is shown again afterwards.
  const back = open?.dialog.name === 'file' ? open.dialog.back : open?.dialog;
  set(openDialogAtom, { dialog: { name: 'file', file, cited, back }, opener: open?.opener ?? document.activeElement });
});

export function useShowFile(): (file: ViewedFile, cited?: CitedPassage) => void {
  const show = useSetAtom(showFileAtom);
  return ({ fileId, name, path, mime, bytes }, cited) => show({ fileId, name, path, mime, bytes }, cited ?? null);
}

/** Shows the file of a citation at its passage. */
export function useShowCited(): (citation: Citation) => void {
  const show = useShowFile();
  const { user } = useAtomValue(session.state);
  return ({ fileId, name, n, page, quote }) => {
    if (!user) return;
    const path = `/api/files/download/${user.id}/${fileId}`;
    show({ fileId, name, path, mime: null, bytes: null }, { n, page, quote });
  };
}
