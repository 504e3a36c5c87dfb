import type { ReactNode } from 'react';
import { usePopoverButton } from '../../ui/menu/use-popover-button.ts';
import { LazyBoundary } from '../../ui/lazy/lazy-boundary.tsx';
import classes from './citation-chip.module.css';

/** How a popover of a chip closes. */
export interface PopoverEnd {
  /** Closes and returns the focus. */
  onClose: () => void;
  /** Closes after a press elsewhere. */
  onLeave: () => void;
}

interface SourceChipProps {
  /** As it stands in the answer, such as `[2]`. */
  mark: string;
  /** For those who do not see it: the number and the source. */
  label: string;
  title: string;
  /** Loads what `draw` draws. */
  preload: () => void;
  draw: (end: PopoverEnd) => ReactNode;
}

/** A mark of an answer as a small button; it opens what the mark stands for. */
export function SourceChip({ mark, label, title, preload, draw }: SourceChipProps) {
  const { isOpen, button, close, leave, handlers } = usePopoverButton();
  return (
    <span className={classes.anchor}>
      <button
        ref={button}
        type="button"
        className={classes.chip}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        data-tooltip={title}
        data-testid="citation"
        data-content
        onPointerEnter={preload}
        onFocus={preload}
        {...handlers}
      >
        {/* Unseen, but part of what a selection copies. */}
        <span className={classes.bracket}>[</span>
        {mark.slice(1, -1)}
        <span className={classes.bracket}>]</span>
      </button>
      {isOpen && <LazyBoundary onFailure={close}>{draw({ onClose: close, onLeave: leave })}</LazyBoundary>}
    </span>
  );
}
