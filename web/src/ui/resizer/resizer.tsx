import { useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../../lib/format-number.ts';
import classes from './resizer.module.css';

/** Percent per press of an arrow key. */
const STEP = 1;

interface ResizerProps {
  column: RefObject<HTMLElement | null>;
  columnId: string;
  label: string;
  /** Percent of the width that the column shares with what stands before it. */
  share: number;
  smallest: number;
  largest: number;
  onResize: (share: number) => void;
}

/** The edge before a column: dragged with pointer or finger, or moved by keys, as ARIA's window splitter. */
export function Resizer({ column, columnId, label, share, smallest, largest, onResize: resize }: ResizerProps) {
  const { i18n } = useTranslation();
  const isDrawing = useRef(false);

  function onPointerDown(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0) return;
    isDrawing.current = true;
    event.currentTarget.setPointerCapture(event.pointerId);
    // Otherwise the text below would get the focus and a selection.
    event.preventDefault();
    event.currentTarget.focus();
  }

  function onPointerMove({ clientX }: PointerEvent): void {
    const all = column.current?.parentElement?.getBoundingClientRect();
    if (!isDrawing.current || !all || !column.current) return;
    const { left, right } = column.current.getBoundingClientRect();
    const pixels = isRightToLeft(column.current) ? clientX - left : right - clientX;
    resize((pixels / all.width) * 100);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const wider = column.current && isRightToLeft(column.current) ? 'ArrowRight' : 'ArrowLeft';
    const narrower = wider === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const steps: Record<string, () => void> = {
      [wider]: () => resize(share + STEP),
      [narrower]: () => resize(Math.max(smallest, share - STEP)),
      Home: () => resize(smallest),
      End: () => resize(largest),
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    step();
  }

  function stop(): void {
    isDrawing.current = false;
  }

  return (
    <div
      className={classes.resizer}
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-controls={columnId}
      aria-valuemin={smallest}
      aria-valuemax={largest}
      aria-valuenow={Math.round(share)}
      aria-valuetext={formatPercent(share / 100, i18n.language)}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={stop}
      onLostPointerCapture={stop}
      onKeyDown={onKeyDown}
    />
  );
}

function isRightToLeft(element: Element): boolean {
  return getComputedStyle(element).direction === 'rtl';
}
