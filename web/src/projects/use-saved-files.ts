import type { Folder } from '@parley/schema/convos/folders';
import { useEffect, useRef, useState } from 'react';
import { useChangeFolders } from '../folders/use-folders.ts';

interface SavedFiles {
  fileIds: readonly string[];
  /** Gets a function of the ids before it: several uploads may end at once. */
  change: (change: (before: readonly string[]) => readonly string[]) => void;
}

/** The files of a folder. Changes are saved one after the other, each with all that came before it. */
export function useSavedFiles({ id: folderId, fileIds: stored }: Pick<Folder, 'id' | 'fileIds'>): SavedFiles {
  const { setFiles } = useChangeFolders();
  const [unsaved, setUnsaved] = useState<readonly string[] | null>(null);
  const latest = useRef<readonly string[] | null>(null);
  // An upload that began before the last change ends with what is stored by then.
  const known = useRef<readonly string[]>(stored);
  useEffect(() => {
    known.current = stored;
  }, [stored]);
  const saving = useRef<Promise<unknown>>(Promise.resolve());

  function change(apply: (before: readonly string[]) => readonly string[]): void {
    const next = apply(latest.current ?? known.current);
    latest.current = next;
    setUnsaved(next);
    saving.current = saving.current.then(async () => {
      const fileIds = latest.current;
      // A later change has been saved with an earlier one.
      if (fileIds === null) return;
      // A toast has told what failed: the list shows again what is stored.
      await setFiles({ folderId, fileIds: [...fileIds] }).then(
        (saved) => void (known.current = saved.fileIds),
        () => {},
      );
      if (latest.current !== fileIds) return;
      latest.current = null;
      setUnsaved(null);
    });
  }
  return { fileIds: unsaved ?? stored, change };
}
