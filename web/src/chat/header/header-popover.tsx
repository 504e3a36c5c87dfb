import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import { useLayoutEffect, useRef, type FocusEvent, type KeyboardEvent, type ReactNode } from 'react';
import popover from '../../ui/menu/anchored-popover.module.css';
import { focusFirst } from '../../ui/menu/focus-on-open.ts';
import classes from './header-popover.module.css';

interface HeaderPopoverProps {
  /** The id of the element that names it. */
  titleId: string;
  isOpen: boolean;
  onClose: () => void;
  /** A click or the focus went elsewhere. */
  onLeave: () => void;
  /** The row at the top, which does not scroll. */
  bar: ReactNode;
  children: ReactNode;
}

/** A dialog under its parent, which is a button of the header. */
export function HeaderPopover({ titleId, isOpen, onClose, onLeave, bar, children }: HeaderPopoverProps) {
  const frame = useRef<HTMLDivElement>(null);
  // It stays mounted while closed.
  useLayoutEffect(() => {
    if (isOpen && frame.current) focusFirst(frame.current);
  }, [isOpen]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing || isForList(event)) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  }

  function onBlur({ currentTarget, relatedTarget }: FocusEvent): void {
    if (isOpen && relatedTarget && !currentTarget.contains(relatedTarget)) onLeave();
  }

  return (
    <Popover
      opened={isOpen}
      onDismiss={onLeave}
      closeOnEscape={false}
      position="bottom-end"
      middlewares={{ shift: { padding: 10 } }}
      width={380}
      withinPortal={false}
      trapFocus
      keepMounted
      withRoles={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={popover.target} />
      </Popover.Target>
      {/* A click between the fields keeps the focus inside. */}
      <Popover.Dropdown
        ref={frame}
        tabIndex={-1}
        className={classes.dropdown}
        role="dialog"
        aria-labelledby={titleId}
        onKeyDown={onKeyDown}
        onBlur={onBlur}
      >
        <div className={classes.bar}>{bar}</div>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Mantine marks an element whose open list Escape closes. */
function isForList({ target }: KeyboardEvent): boolean {
  return target instanceof HTMLElement && target.dataset.mantineStopPropagation === 'true';
}
