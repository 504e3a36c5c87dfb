import { useRef, type KeyboardEvent, type PointerEvent, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPercent } from '../lib/format-number.ts';
import { COLLAPSED, LARGEST, SMALLEST } from './panel-width.ts';
import { useSidePanel } from './panel-state.ts';
import classes from './side-panel.module.css';

/** Percent per press of an arrow key. */
const STEP = 1;

interface ResizerProps {
  column: RefObject<HTMLElement | null>;
  columnId: string;
}

/** The edge between chat and panel: dragged with pointer or finger, or moved by keys, as ARIA's window splitter. */
export function Resizer({ column, columnId }: ResizerProps) {
  const { t, i18n } = useTranslation();
  const { share, resize, open } = useSidePanel();
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
    const both = column.current?.parentElement?.getBoundingClientRect();
    if (!isDrawing.current || !both || !column.current) return;
    const pixels = isRightToLeft(column.current) ? clientX - both.left : both.right - clientX;
    resize((pixels / both.width) * 100);
  }

  function onKeyDown(event: KeyboardEvent): void {
    const wider = column.current && isRightToLeft(column.current) ? 'ArrowRight' : 'ArrowLeft';
    const narrower = wider === 'ArrowLeft' ? 'ArrowRight' : 'ArrowLeft';
    const isCollapsed = share === COLLAPSED;
    const steps: Record<string, () => void> = {
      [wider]: () => resize(isCollapsed ? SMALLEST : share + STEP),
      [narrower]: () => resize(share - STEP < SMALLEST ? COLLAPSED : share - STEP),
      Home: () => resize(COLLAPSED),
      End: () => resize(LARGEST),
      Enter: () => (isCollapsed ? open() : resize(COLLAPSED)),
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
      aria-label={t('com_sidepanel_resize')}
      aria-controls={columnId}
      aria-valuemin={COLLAPSED}
      aria-valuemax={LARGEST}
      aria-valuenow={Math.round(share)}
      aria-valuetext={share === COLLAPSED ? t('com_sidepanel_collapsed') : formatPercent(share / 100, i18n.language)}
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
