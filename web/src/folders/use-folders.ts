import type { Folder } from '@parley/schema/convos/folders';
import { useTranslation } from 'react-i18next';
import { showToast } from '../ui/toast/toast.ts';
import { trpc } from '../trpc.ts';

const NONE: Folder[] = [];

/** The user's folders, by name; empty until loaded. */
export function useFolders(): Folder[] {
  return trpc.folders.list.useQuery(undefined, { staleTime: Infinity }).data ?? NONE;
}

/** Whether the user has folders; undefined while they load, and none where they cannot be loaded. */
export function useHasFolders(): boolean | undefined {
  const { data, isPending } = trpc.folders.list.useQuery(undefined, { staleTime: Infinity });
  return isPending ? undefined : (data ?? NONE).length > 0;
}

/** Functions that change folders; a toast shows what fails. */
export function useChangeFolders() {
  const { t } = useTranslation();
  const utils = trpc.useUtils();
  const options = {
    onSuccess: () => utils.folders.list.invalidate(),
    onError: () => showToast({ message: t('com_ui_folder_failed'), severity: 'error' }),
  } as const;
  const { mutateAsync: create } = trpc.folders.create.useMutation(options);
  const { mutateAsync: update } = trpc.folders.update.useMutation(options);
  const { mutate: remove } = trpc.folders.remove.useMutation(options);
  const { mutateAsync: setFiles } = trpc.folders.setFiles.useMutation(options);
  return { create, update, setFiles, remove };
}

/** Returns a function that moves convos into a folder, or out of theirs (null); the change feed brings the result. */
export function useMoveToFolder(): (conversationIds: string[], folderId: string | null) => void {
  const { t } = useTranslation();
  const { mutate } = trpc.convos.moveToFolder.useMutation({
    onError: () => showToast({ message: t('com_ui_folder_failed'), severity: 'error' }),
  });
  return (conversationIds, folderId) => mutate({ conversationIds, folderId });
}
