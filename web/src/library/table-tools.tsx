import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { focusIfLost } from '../lib/focus-if-lost.ts';
import { SearchField } from '../ui/fields/search-field.tsx';
import classes from './files-table.module.css';
import { UploadButton, type Uploads } from './upload-files.tsx';
import { UsageLine } from './usage-line.tsx';

interface TableToolsProps {
  text: string;
  uploads: Uploads;
  onSearch: (text: string) => void;
  children: ReactNode;
}

/** The row above the table: what narrows it down, and what adds files to it. */
export function TableTools({ text, uploads, onSearch, children }: TableToolsProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.tools}>
      <SearchField
        className={classes.search}
        placeholder={t('com_files_search')}
        value={text}
        data-autofocus
        ref={focusIfLost}
        onChange={({ currentTarget: { value } }) => onSearch(value)}
      />
      {children}
      <UploadButton {...uploads} />
      <UsageLine />
    </div>
  );
}
