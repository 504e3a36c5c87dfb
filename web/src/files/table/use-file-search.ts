import type { StoredFile } from '@parley/schema/files/stored-file';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paginate } from '../../lib/paginate.ts';
import { arrangeFiles, FIRST_ORDER, PAGE_SIZE, reordered, type FileColumn } from './arrange-files.ts';

/** A set or a folder of files. */
export interface FileGroup {
  kind: 'set' | 'folder';
  id: string;
  name: string;
  fileIds: readonly string[];
}

const NO_GROUPS: readonly FileGroup[] = [];

/**
 * The files that match what is typed, of a set or folder or of all, in order, a page at a time. Another group, text or
 * order begins at the first page.
 */
export function useFileSearch(files: readonly StoredFile[] = [], groups = NO_GROUPS) {
  const { language } = useTranslation().i18n;
  const [text, setText] = useState('');
  const [order, setOrder] = useState(FIRST_ORDER);
  const [wantedPage, goTo] = useState(0);
  const [groupId, setGroupId] = useState<string | null>(null);
  const group = groups.find(({ id }) => id === groupId) ?? null;
  const inGroup = group?.fileIds;
  const found = useMemo(() => {
    const wanted = inGroup ? files.filter(({ fileId }) => inGroup.includes(fileId)) : files;
    return arrangeFiles(wanted, text, order, language);
  }, [files, inGroup, text, order, language]);

  function search(wanted: string): void {
    setText(wanted);
    goTo(0);
  }

  function showGroup(id: string | null): void {
    setGroupId(id);
    goTo(0);
  }

  function orderBy(column: FileColumn): void {
    setOrder(reordered(order, column));
    goTo(0);
  }

  return { group, showGroup, text, search, order, orderBy, found, page: paginate(found, wantedPage, PAGE_SIZE), goTo };
}
