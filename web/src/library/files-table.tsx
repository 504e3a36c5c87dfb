import '@mantine/core/styles/Checkbox.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Input.css';
import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconSelector } from '@tabler/icons-react';
import type { StoredFile } from '@parley/schema/files/stored-file';
import type { ParseKeys } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SkeletonRows } from '../ui/skeleton/skeleton-rows.tsx';
import { Button } from '../ui/button.tsx';
import { NoFiles } from './no-files.tsx';
import { FILE_COLUMNS, PAGE_SIZE, type FileColumn, type FileOrder } from '../files/table/arrange-files.ts';
import { FileTableRow } from './file-table-row.tsx';
import { FilesFailure } from '../files/table/files-failure.tsx';
import classes from './files-table.module.css';
import { GroupTools } from './group-tools.tsx';
import { SelectedFiles } from './selected-files.tsx';
import { useFileGroups } from './use-file-sets.ts';
import { useFiles } from '../files/files-api.ts';
import { Pager } from '../ui/pager.tsx';
import { useFileSearch } from '../files/table/use-file-search.ts';
import { useHeldHeight } from './use-held-height.ts';
import { TableTools } from './table-tools.tsx';
import { useLibraryUploads, type Uploads } from './upload-files.tsx';
import { VisuallyHidden } from '../ui/primitives/visually-hidden.tsx';

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
  const { input, ...uploads } = useLibraryUploads();
  if (hasFailed) return <FilesFailure isTrying={isFetching} onRetry={() => void refetch()} />;
  const common = { uploads, onLeave };
  return (
    <>
      {input}
      {files?.length === 0 ? <NoFiles {...common} /> : <SearchableTable files={files ?? null} {...common} />}
    </>
  );
}

interface SearchableTableProps {
  /** Null while they load: the dialog gives the focus to the search at once. */
  files: readonly StoredFile[] | null;
  uploads: Uploads;
  onLeave: () => void;
}

function SearchableTable({ files, uploads, onLeave }: SearchableTableProps) {
  const groups = useFileGroups();
  const searching = useFileSearch(files ?? undefined, groups);
  const { group, text, page } = searching;
  const { frame, hold } = useHeldHeight<HTMLDivElement>();
  const { selected, select, chosen, chosenHere } = useSelection(searching);
  const isAllChosen = page.rows.length > 0 && chosenHere.length === page.rows.length;

  /** The rows become others, below a pointer that stays. */
  function change(rows: () => void): void {
    hold();
    rows();
  }

  function onGroup(id: string | null): void {
    select(files ?? [], false);
    change(() => searching.showGroup(id));
  }

  function onRemoved(): void {
    // The button that had the focus goes with the selection.
    frame.current?.querySelector<HTMLElement>('thead input')?.focus({ preventScroll: true });
    select(chosen, false);
  }

  return (
    <div ref={frame} className={classes.frame}>
      <TableTools text={text} uploads={uploads} onSearch={(wanted) => change(() => searching.search(wanted))}>
        <GroupTools groups={groups} current={group} onPick={onGroup} />
      </TableTools>
      {files ? (
        <table className={classes.table}>
          <TableHead
            order={searching.order}
            isAllChosen={isAllChosen}
            isSomeChosen={chosenHere.length > 0}
            onChoose={() => select(page.rows, !isAllChosen)}
            onOrder={(column) => change(() => searching.orderBy(column))}
          />
          <Rows
            files={page.rows}
            text={text.trim()}
            selected={selected}
            onSelect={select}
            onShowAll={() => change(() => searching.search(''))}
            onLeave={onLeave}
          />
        </table>
      ) : (
        <SkeletonRows count={PAGE_SIZE} />
      )}
      <div className={classes.foot}>
        <SelectedFiles
          files={chosen}
          elsewhere={chosen.length - chosenHere.length}
          groups={groups}
          group={group}
          onRemoved={onRemoved}
        />
        <Pager page={page} onPage={(index) => change(() => searching.goTo(index))} />
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

/**
 * The ids of selected files, and those of them that are found, and on the page of the table. A file that the filter hides
 * is not deleted with those that are seen.
 */
function useSelection({ found, page }: Pick<ReturnType<typeof useFileSearch>, 'found' | 'page'>) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());

  function select(rows: readonly StoredFile[], isSelected: boolean): void {
    const next = new Set(selected);
    for (const { fileId } of rows) {
      if (isSelected) next.add(fileId);
      else next.delete(fileId);
    }
    setSelected(next);
  }

  const isChosen = ({ fileId }: StoredFile) => selected.has(fileId);
  return { selected, select, chosen: found.filter(isChosen), chosenHere: page.rows.filter(isChosen) };
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
