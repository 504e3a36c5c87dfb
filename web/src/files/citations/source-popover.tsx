import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import classes from './citation-popover.module.css';
import type { PopoverEnd } from './source-chip.tsx';

interface SourcePopoverProps extends PopoverEnd {
  /** The element that names it. */
  titleId: string;
  children: ReactNode;
}

const PADDING_PX = 12;

/** The popover of a chip. */
export function SourcePopover({ titleId, onClose, onLeave, children }: SourcePopoverProps) {
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  return (
    <Popover
      opened
      onDismiss={onLeave}
      closeOnEscape={false}
      position="top"
      middlewares={{ shift: { padding: PADDING_PX }, flip: { padding: PADDING_PX } }}
      width={400}
      trapFocus
      returnFocus={false}
      withRoles={false}
      portalProps={{ target: 'main' }}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={classes.target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={focusOnOpen}
        className={classes.dropdown}
        role="dialog"
        aria-labelledby={titleId}
        onKeyDown={onKeyDown}
      >
        {/* Takes the focus, so that a screen reader reads it and the arrow keys scroll it. */}
        <div className={classes.content} tabIndex={-1} data-autofocus>
          {children}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
