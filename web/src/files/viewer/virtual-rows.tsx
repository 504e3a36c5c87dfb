import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { findText, type RowRange } from '../text/find-text.ts';
import { stepped, type Finder } from './finder.ts';
import { clearMarks, paintMarks, readRanges, type Mark } from '../text/text-ranges.ts';
import classes from './file-view.module.css';
import { ScrollRegion } from '../../ui/primitives/scroll-region.tsx';

interface VirtualRowsProps {
  label: string;
  count: number;
  /** Of most rows, in pixels. */
  height: number;
  /** The texts of a row, as they stand in what `draw` draws inside its `data-text`. */
  piecesOf: (row: number) => readonly string[];
  draw: (row: number) => ReactNode;
  cited: readonly RowRange[];
  finder: Finder;
  /** Stays at the top. */
  head?: ReactNode;
  className?: string | undefined;
  role?: 'table';
}

const NONE: readonly RowRange[] = [];

/** Rows of text of which only those on screen are drawn. It begins at what is cited, and goes to what is found. */
export function VirtualRows({ label, count, height, draw, head, className, role, ...marked }: VirtualRowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  // The result is read during this render, and to scroll.
  // oxlint-disable-next-line react/incompatible-library
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 20,
  });
  const goTo = (row: number) => rows.scrollToIndex(row, { align: 'center' });
  const { found, index } = useFound({ ...marked, count, goTo });
  const [first] = marked.cited;
  const start = useEffectEvent(() => first && goTo(first.row));
  useEffect(() => void start(), [first?.row, first?.from]);
  const foundByRow = useMemo(() => groupByRow(found), [found]);
  const citedByRow = useMemo(() => groupByRow(marked.cited), [marked.cited]);
  useLayoutEffect(() => paint(frame.current, citedByRow, foundByRow, found[index]));
  useEffect(() => clearMarks, []);

  return (
    <ScrollRegion ref={frame} className={classes.scroll} role="region" aria-label={label} data-file-body>
      {head}
      <div
        className={`${classes.rows} ${className ?? ''}`}
        style={{ blockSize: rows.getTotalSize() }}
        role={role}
        aria-rowcount={role && count}
      >
        {rows.getVirtualItems().map(({ key, index: row, start: top }) => (
          <div
            key={key}
            ref={rows.measureElement}
            className={classes.row}
            style={{ transform: `translateY(${top}px)` }}
            data-index={row}
            role={role && 'row'}
            aria-rowindex={role && row + 1}
          >
            {draw(row)}
          </div>
        ))}
      </div>
    </ScrollRegion>
  );
}

interface Search extends Pick<VirtualRowsProps, 'count' | 'piecesOf' | 'finder'> {
  goTo: (row: number) => void;
}

/** What the search has found, and which of it is looked at. */
function useFound({ count, piecesOf, finder: { text, presses, step, report }, goTo }: Search) {
  const found = useMemo(() => (text === '' ? NONE : findText(text, count, piecesOf)), [text, count, piecesOf]);
  const [at, setAt] = useState({ found, presses, index: 0 });
  if (at.found !== found) setAt({ found, presses, index: 0 });
  else if (at.presses !== presses) setAt({ found, presses, index: stepped(at.index, step, found.length) });
  const { index } = at;
  const show = useEffectEvent(() => {
    if (text === '') return;
    report({ at: found.length === 0 ? 0 : index + 1, of: found.length });
    const target = found[index];
    if (target) goTo(target.row);
  });
  useEffect(() => show(), [text, found, index]);
  return { found, index };
}

type ByRow = ReadonlyMap<number, readonly RowRange[]>;

function groupByRow(ranges: readonly RowRange[]): ByRow {
  const groups = new Map<number, RowRange[]>();
  for (const textRange of ranges) {
    const group = groups.get(textRange.row);
    if (group) group.push(textRange);
    else groups.set(textRange.row, [textRange]);
  }
  return groups;
}

/** Marks the rows on screen. */
function paint(frame: HTMLElement | null, cited: ByRow, found: ByRow, current: RowRange | undefined): void {
  const marks: Record<Mark, Range[]> = { 'file-cited': [], 'file-found': [], 'file-current': [] };
  for (const element of frame?.querySelectorAll<HTMLElement>('[data-index]') ?? []) {
    const row = Number(element.dataset.index);
    const citedHere = cited.get(row) ?? NONE;
    const foundHere = found.get(row) ?? NONE;
    if (citedHere.length === 0 && foundHere.length === 0) continue;
    const { rangeOf } = readRanges(element.querySelector('[data-text]') ?? element);
    marks['file-cited'].push(...citedHere.flatMap((textRange) => rangeOf(textRange) ?? []));
    for (const textRange of foundHere) {
      const range = rangeOf(textRange);
      if (range) marks[textRange === current ? 'file-current' : 'file-found'].push(range);
    }
  }
  paintMarks(marks);
}
