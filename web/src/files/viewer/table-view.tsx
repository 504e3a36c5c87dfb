import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CitedPassage } from '../../dialogs/viewed-file.ts';
import { formatNumber } from '../../lib/format-number.ts';
import { foldLetters, locateQuote } from '../text/locate-quote.ts';
import type { RowRange } from '../text/find-text.ts';
import type { Finder } from './finder.ts';
import { VirtualRows } from './virtual-rows.tsx';
import classes from './file-view.module.css';
import { cssVars } from '../../lib/css-vars.ts';

export interface Sheet {
  /** Empty for a table without a name. */
  name: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  /** The places of its first and last passage; null where they are not known. */
  passages: { from: number; to: number } | null;
}

interface TableViewProps {
  sheets: readonly Sheet[];
  cited: CitedPassage | null;
  finder: Finder;
}

/** Columns that are drawn: each row on screen has a cell for each. */
const COLUMNS_MAX = 200;
/** Rows by which the widths of columns are chosen, and those widths in characters. */
const SAMPLE_ROWS = 100;
const COLUMN_CHARS_MIN = 5;
const COLUMN_CHARS_MAX = 36;
const ROW_PX = 33;

/** The sheets of a spreadsheet, one at a time, or the table of a CSV file. */
export function TableView({ sheets, cited, finder }: TableViewProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number | null>(null);
  const citedSheet = cited ? sheets.findIndex(({ passages }) => isIn(cited.n, passages)) : -1;
  const shown = chosen ?? Math.max(0, citedSheet);
  const tabs = sheets.map(({ name }, index) => ({ name, index }));
  const sheet = sheets[shown];
  if (!sheet) return <p className={classes.empty}>{t('com_viewer_no_rows')}</p>;
  return (
    <>
      {sheets.length > 1 && (
        <div className={classes.sheets} role="group" aria-label={t('com_viewer_sheets')}>
          {tabs.map(({ name, index }) => (
            <button
              key={index}
              type="button"
              aria-pressed={index === shown}
              onClick={() => setChosen(index)}
              dir="auto"
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <SheetTable
        key={shown}
        sheet={sheet}
        cited={shown === citedSheet || sheets.length === 1 ? cited : null}
        finder={finder}
      />
    </>
  );
}

function SheetTable({ sheet, cited, finder }: { sheet: Sheet; cited: CitedPassage | null; finder: Finder }) {
  const { t, i18n } = useTranslation();
  const { name, columns, rows } = sheet;
  const widths = useMemo(() => widthsOf(sheet), [sheet]);
  const ranges = useMemo(() => (cited ? quoteRanges(cited.quote, rows) : []), [cited, rows]);
  const pieces = useMemo(() => (row: number) => (rows[row] ?? []).slice(0, COLUMNS_MAX), [rows]);
  const more = Math.max(columns.length, rows[0]?.length ?? 0) - COLUMNS_MAX;
  const numberWidth = `${Math.max(3, String(rows.length).length + 1) + 2}ch`;
  const grid = cssVars({ '--grid': [numberWidth, ...widths.map(({ width }) => `${width}ch`)].join(' ') });
  return (
    <div className={classes.table} style={grid}>
      <VirtualRows
        label={name || t('com_viewer_table')}
        count={rows.length}
        height={ROW_PX}
        piecesOf={pieces}
        cited={ranges}
        finder={finder}
        className={classes.cells}
        role="table"
        head={
          <div className={classes.columns}>
            <span aria-hidden />
            {widths.map(({ column }) => (
              <span key={column} dir="auto">
                {columns[column]}
              </span>
            ))}
          </div>
        }
        draw={(row) => (
          <>
            <span className={classes.number} role="rowheader">
              {row + 1}
            </span>
            <span className={classes.record} data-text>
              {widths.map(({ column }) => (
                <span key={column} role="cell" dir="auto">
                  {rows[row]?.[column]}
                </span>
              ))}
            </span>
          </>
        )}
      />
      {more > 0 && (
        <p className={classes.note}>{t('com_viewer_more_columns', { 0: formatNumber(more, i18n.language) })}</p>
      )}
    </div>
  );
}

function isIn(n: number, passages: Sheet['passages']): boolean {
  return passages !== null && n >= passages.from && n <= passages.to;
}

/** In characters. */
function widthsOf({ columns, rows }: Sheet): { column: number; width: number }[] {
  const sample = [columns, ...rows.slice(0, SAMPLE_ROWS)];
  const count = Math.min(COLUMNS_MAX, Math.max(...sample.map(({ length }) => length)));
  return Array.from({ length: count }, (_, column) => {
    const longest = Math.max(...sample.map((row) => row[column]?.length ?? 0));
    return { column, width: Math.min(COLUMN_CHARS_MAX, Math.max(COLUMN_CHARS_MIN, longest + 2)) };
  });
}

/** The cells of the row that is quoted; the server quotes rows with what divides their cells. */
function quoteRanges(quote: string, rows: Sheet['rows']): RowRange[] {
  const wanted = foldLetters(quote).text;
  const row = rows.findIndex((cells) => locateQuote(cells.join(''), quote) !== null || isPart(cells.join(''), wanted));
  const cells = rows[row];
  return cells ? [{ row, from: 0, to: cells.slice(0, COLUMNS_MAX).join('').length }] : [];
}

/** Whether the quote is a row and more, as where it begins in the row before. */
function isPart(text: string, wanted: string): boolean {
  const letters = foldLetters(text).text;
  return letters.length > 0 && wanted.includes(letters);
}
