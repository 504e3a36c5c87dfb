import { atom, useAtom, type PrimitiveAtom } from 'jotai';
import { useId, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { readStored, writeStored } from '../../lib/storage.ts';
import { Resizer } from './resizer.tsx';
import classes from './side-column.module.css';

/** Percent of the width that it shares with the chat. */
const SHARE_MIN = 30;
const SHARE_MAX = 75;
const USUAL_SHARE = 50;

/** The share of a kind of columns, kept as the layout of this device. */
export interface ColumnShare {
  storageKey: string;
  share: PrimitiveAtom<number>;
}

export function createColumnShare(name: string): ColumnShare {
  const storageKey = `react-resizable-panels:${name}`;
  const stored = readStored(storageKey, USUAL_SHARE, (one) => (typeof one === 'number' ? bounded(one) : undefined));
  return { storageKey, share: atom(stored) };
}

interface SideColumnProps {
  column: RefObject<HTMLElement | null>;
  width: ColumnShare;
  /** Of the line that is drawn to make it wider. */
  resizeLabel: string;
  /** It covers the page. */
  isFull?: boolean;
  titleId: string;
  testId: string;
  onEscape: () => void;
  children: ReactNode;
}

/** What is open beside the chat. */
export function SideColumn(props: SideColumnProps) {
  const { column, width, resizeLabel, isFull = false, titleId, testId, onEscape, children } = props;
  const columnId = useId();
  const [share, setShare] = useAtom(width.share);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    onEscape();
  }

  function resize(wanted: number): void {
    setShare(bounded(wanted));
    writeStored(width.storageKey, bounded(wanted));
  }

  return (
    // Only handles what bubbles up from its controls.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <aside
      ref={column}
      id={columnId}
      className={classes.column}
      style={{ inlineSize: `${share}%` }}
      data-full={isFull || undefined}
      aria-labelledby={titleId}
      data-testid={testId}
      onKeyDown={onKeyDown}
    >
      {!isFull && (
        <Resizer
          column={column}
          columnId={columnId}
          label={resizeLabel}
          share={share}
          smallest={SHARE_MIN}
          largest={SHARE_MAX}
          onResize={resize}
        />
      )}
      {children}
    </aside>
  );
}

function bounded(share: number): number {
  return Math.min(SHARE_MAX, Math.max(SHARE_MIN, share));
}
