import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Input.css';
import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import type { StoredFile } from '@parley/schema/files/stored-file';
import type { ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { SkeletonRows } from '../../ui/skeleton/skeleton-rows.tsx';
import { focusIfLost } from '../../lib/focus-if-lost.ts';
import { Button } from '../../ui/button.tsx';
import { NoFiles } from './no-files.tsx';
import { showToast } from '../../ui/toast/toast.ts';
import { TwoClickButton } from '../../ui/two-click-button.tsx';
import { FILE_COLUMNS, PAGE_SIZE, type FileColumn, type FileOrder } from './arrange-files.ts';
import { FileTableRow } from './file-table-row.tsx';
import { FilesFailure } from './files-failure.tsx';
import classes from './files-table.module.css';
import { removeFiles, useFiles } from '../files-api.ts';
import { Pager } from '../../ui/pager.tsx';
import { useFileSearch } from './use-file-search.ts';
import { useHeldHeight } from './use-held-height.ts';
import { UploadFiles } from './upload-files.tsx';
import { UsageLine } from './usage-line.tsx';
import { VisuallyHidden } from '../../ui/primitives/visually-hidden.tsx';
import { useShowError } from '../../ui/toast/use-show-error.ts';

const COLUMNS: Record<FileColumn, ParseKeys> = {
  name: 'com_files_column_name',
  date: 'com_files_column_date',
  storage: 'com_files_column_storage',
  context: 'com_files_column_context',
  size: 'com_files_column_size',
};

/** The table of the user's files. `onLeave` closes what it stands in when a link leads to a conversation. */
export function FilesTable({ onLeave }: { onLeave: () => void }) {
  const { data: files, hasFailed, isFetching, refetch } = useFiles();
  if (hasFailed) return <FilesFailure isTrying={isFetching} onRetry={() => void refetch()} />;
  if (files?.length === 0) return <NoFiles onLeave={onLeave} />;
  return <SearchableTable files={files ?? null} onLeave={onLeave} />;
}

interface SearchableTableProps {
  /** Null while they load: the dialog gives the focus to the search at once. */
  files: readonly StoredFile[] | null;
  onLeave: () => void;
}

function SearchableTable({ files, onLeave }: SearchableTableProps) {
  const { t } = useTranslation();
  const { text, search, order, orderBy, found, page, goTo } = useFileSearch(files ?? undefined);
  const { selected, select } = useSelection();
  const { frame, hold } = useHeldHeight<HTMLDivElement>();
  // A file that the filter hides is not deleted with those that are seen.
  const chosen = found.filter(({ fileId }) => selected.has(fileId));
  const chosenHere = page.rows.filter(({ fileId }) => selected.has(fileId));
  const isAllChosen = page.rows.length > 0 && chosenHere.length === page.rows.length;

  /** The rows become others, below a pointer that stays. */
  function change(rows: () => void): void {
    hold();
    rows();
  }

  function onRemoved(): void {
    // The button that had the focus goes with the selection.
    frame.current?.querySelector<HTMLElement>('thead input')?.focus({ preventScroll: true });
    select(chosen, false);
  }

  return (
    <div ref={frame} className={classes.frame}>
      <div className={classes.tools}>
        <SearchField
          className={classes.search}
          placeholder={t('com_files_search')}
          value={text}
          data-autofocus
          ref={focusIfLost}
          onChange={({ currentTarget: { value } }) => change(() => search(value))}
        />
        <UsageLine />
        <UploadFiles />
      </div>
      {files ? (
        <table className={classes.table}>
          <TableHead
            order={order}
            isAllChosen={isAllChosen}
            isSomeChosen={chosenHere.length > 0}
            onChoose={() => select(page.rows, !isAllChosen)}
            onOrder={(column) => change(() => orderBy(column))}
          />
          <Rows
            files={page.rows}
            text={text.trim()}
            selected={selected}
            onSelect={select}
            onShowAll={() => change(() => search(''))}
            onLeave={onLeave}
          />
        </table>
      ) : (
        <SkeletonRows count={PAGE_SIZE} />
      )}
      <div className={classes.foot}>
        <Selection files={chosen} elsewhere={chosen.length - chosenHere.length} onRemoved={onRemoved} />
        <Pager page={page} onPage={(index) => change(() => goTo(index))} />
      </div>
    </div>
  );
}

interface RowsProps {
  files: readonly StoredFile[];
  /** What is searched. */
  text: string;
  selected: ReadonlySet<string>;
  onSelect: (files: readonly StoredFile[], isSelected: boolean) => void;
  onShowAll: () => void;
  onLeave: () => void;
}

function Rows({ files, text, selected, onSelect, onShowAll, onLeave }: RowsProps) {
  const { t } = useTranslation();
  return (
    <tbody>
      {files.map((file) => (
        <FileTableRow
          key={file.fileId}
          file={file}
          isSelected={selected.has(file.fileId)}
          onSelect={(isSelected) => onSelect([file], isSelected)}
          onLeave={onLeave}
        />
      ))}
      {files.length === 0 && (
        <tr>
          <td className={classes.empty} colSpan={FILE_COLUMNS.length + 2}>
            <p>{t('com_files_none_named', { 0: text })}</p>
            <Button size="sm" onClick={onShowAll}>
              {t('com_files_show_all')}
            </Button>
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** The selected files, by their ids. */
function useSelection() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  function select(rows: readonly StoredFile[], isSelected: boolean): void {
    const next = new Set(selected);
    for (const { fileId } of rows) {
      if (isSelected) next.add(fileId);
      else next.delete(fileId);
    }
    setSelected(next);
  }

  return { selected, select };
}

interface TableHeadProps {
  order: FileOrder;
  isAllChosen: boolean;
  isSomeChosen: boolean;
  onChoose: () => void;
  onOrder: (column: FileColumn) => void;
}

function TableHead({ order, isAllChosen, isSomeChosen, onChoose, onOrder }: TableHeadProps) {
  const { t } = useTranslation();
  return (
    <thead>
      <tr>
        <th className={classes.check}>
          <Checkbox
            size="xs"
            radius={4}
            classNames={{ input: classes.checkbox }}
            aria-label={t('com_files_select_all')}
            checked={isAllChosen}
            indeterminate={!isAllChosen && isSomeChosen}
            onChange={onChoose}
          />
        </th>
        {FILE_COLUMNS.map((column) => (
          <ColumnHead key={column} column={column} order={order} onOrder={() => onOrder(column)} />
        ))}
        <th className={classes.actions}>
          <VisuallyHidden>{t('com_files_column_actions')}</VisuallyHidden>
        </th>
      </tr>
    </thead>
  );
}

function ColumnHead({ column, order, onOrder }: { column: FileColumn; order: FileOrder; onOrder: () => void }) {
  const { t } = useTranslation();
  const isSorted = order.column === column;
  const Icon = !isSorted ? IconSelector : order.isDescending ? IconArrowDown : IconArrowUp;
  const name = t(COLUMNS[column]);
  return (
    <th
      className={classes[column]}
      aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" className={classes.sort} onClick={onOrder}>
        {name}
        <Icon aria-hidden />
      </button>
    </th>
  );
}

interface SelectionProps {
  files: readonly StoredFile[];
  /** How many of them are on other pages of the table. */
  elsewhere: number;
  onRemoved: () => void;
}

/** How many files are selected, and the button that deletes them. */
function Selection({ files, elsewhere, onRemoved }: SelectionProps) {
  const { t } = useTranslation();
  const showError = useShowError();
  const count = files.length;

  async function remove(): Promise<void> {
    try {
      await removeFiles(files.map(({ fileId }) => fileId));
      onRemoved();
      showToast({ message: t('com_files_deleted'), severity: 'success' });
    } catch (error) {
      showError(error);
    }
  }

  return (
    <div className={classes.selection}>
      <span role="status">
        {count > 0 && t('com_files_selected', { 0: count })}
        {elsewhere > 0 && ` · ${t('com_files_selected_elsewhere', { 0: elsewhere })}`}
      </span>
      {count > 0 && (
        <TwoClickButton
          label={t('com_files_delete')}
          confirm={t('com_files_delete_question')}
          testId="delete-files"
          run={remove}
        />
      )}
    </div>
  );
}
