import { getQueryKey } from '@trpc/react-query';
import { useMemo } from 'react';
import { trpc } from '../trpc.ts';
import { cachedLists, toPages } from './changes/use-update-lists.ts';
import { loadedConvos, useConvoPages, usePending } from './use-convos.ts';

/** The convos of a folder, newest first, in pages. Pinned ones stand above the list, archived ones in the archive. */
export function useFolderConvos(folderId: string) {
  const page = useMemo(() => pageOf(folderId), [folderId]);
  const list = useConvoPages(page);
  return {
    convos: usePending(useMemo(() => loadedConvos(list.data).filter((one) => !one.isPinned), [list.data])),
    list,
  };
}

const pages = new Map<string, ReturnType<typeof createPage>>();

/** The query input for a folder, whose list the change feed then keeps in sync. */
function pageOf(folderId: string) {
  const page = pages.get(folderId) ?? createPage(folderId);
  pages.set(folderId, page);
  return page;
}

function createPage(folderId: string) {
  const page = { limit: 25, folderId };
  cachedLists.push({
    key: getQueryKey(trpc.convos.list, page, 'infinite'),
    apply: toPages((convo) => convo.folderId === folderId && !convo.isPinned && !convo.isArchived),
  });
  return page;
}
