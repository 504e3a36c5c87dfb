// The sets of files, and the folders that have some: what the table of files can be narrowed down to.
import type { FileSet, SaveFileSet } from '@parley/schema/files/file-sets';
import { useMemo } from 'react';
import { useFolders } from '../folders/use-folders.ts';
import type { FileGroup } from '../files/table/use-file-search.ts';
import { trpc } from '../trpc.ts';
import { useShowError } from '../ui/toast/use-show-error.ts';
import { refreshFiles } from '../files/files-api.ts';

const NONE: FileSet[] = [];

/** By name; empty until loaded. */
export function useFileSets({ enabled = true } = {}): FileSet[] {
  return trpc.files.sets.list.useQuery(undefined, { staleTime: Infinity, enabled }).data ?? NONE;
}

/** Functions that change sets. They resolve to whether it was done; a toast shows what fails. */
export function useChangeSets() {
  const utils = trpc.useUtils();
  const showError = useShowError();
  const { mutateAsync: save } = trpc.files.sets.save.useMutation();
  const { mutateAsync: remove } = trpc.files.sets.remove.useMutation();

  async function change(run: Promise<unknown>): Promise<boolean> {
    try {
      await run;
      await Promise.all([utils.files.sets.list.invalidate(), refreshFiles()]);
      return true;
    } catch (error) {
      showError(error);
      return false;
    }
  }

  return { save: (set: SaveFileSet) => change(save(set)), remove: (id: string) => change(remove({ id })) };
}

/** The sets, and behind them the folders that have files. */
export function useFileGroups(): FileGroup[] {
  const sets = useFileSets();
  const folders = useFolders();
  return useMemo(
    () => [
      ...sets.map((set) => ({ kind: 'set' as const, ...set })),
      ...folders.flatMap(({ id, name, fileIds }) =>
        fileIds.length > 0 ? [{ kind: 'folder' as const, id, name, fileIds }] : [],
      ),
    ],
    [sets, folders],
  );
}
