import type { StoredFile } from '@parley/schema/files/stored-file';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { paginate } from '../../lib/paginate.ts';
import { arrangeFiles, FIRST_ORDER, PAGE_SIZE, reordered, type FileColumn } from './arrange-files.ts';

/** The files that match what is typed, in order, a page at a time. Another text or order begins at the first page. */
export function useFileSearch(files: readonly StoredFile[] = []) {
  const { language } = useTranslation().i18n;
  const [text, setText] = useState('');
  const [order, setOrder] = useState(FIRST_ORDER);
  const [wantedPage, goTo] = useState(0);
  const found = useMemo(() => arrangeFiles(files, text, order, language), [files, text, order, language]);

  function search(wanted: string): void {
    setText(wanted);
    goTo(0);
  }

  function orderBy(column: FileColumn): void {
    setOrder(reordered(order, column));
    goTo(0);
  }

  return { text, search, order, orderBy, found, page: paginate(found, wantedPage, PAGE_SIZE), goTo };
}
