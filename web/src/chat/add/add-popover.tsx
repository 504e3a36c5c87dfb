import '@mantine/core/styles/Popover.css';
import { Popover } from '@mantine/core';
import { useId, type KeyboardEvent, type ReactNode } from 'react';
import popover from '../../ui/menu/anchored-popover.module.css';
import { focusOnOpen } from '../../ui/menu/focus-on-open.ts';
import classes from './add-popover.module.css';

/** Pixels: a title, a search and two rows. */
const LEAST_PX = 240;

interface AddPopoverProps {
  title: string;
  children: ReactNode;
  /** Closes and returns the focus. */
  onClose: () => void;
  /** The focus moved elsewhere. */
  onLeave: () => void;
}

/** A list above the button that adds things; on phones a sheet at the edge that the thumb reaches. */
export function AddPopover({ title, children, onClose, onLeave }: AddPopoverProps) {
  const titleId = useId();

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      event.stopPropagation();
      onClose();
    }
    // It stands in the form of the message.
    if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
  }

  return (
    <Popover
      opened
      onDismiss={onLeave}
      closeOnEscape={false}
      position="top-start"
      middlewares={{ shift: { padding: 10 }, flip: { padding: 10 }, size: { padding: 10, apply: limitHeight } }}
      offset={6}
      width={416}
      trapFocus
      withRoles={false}
      withinPortal={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={popover.target} />
      </Popover.Target>
      <Popover.Dropdown
        ref={focusOnOpen}
        tabIndex={-1}
        className={classes.dropdown}
        role="dialog"
        aria-labelledby={titleId}
        onKeyDown={onKeyDown}
      >
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** The list scrolls where there is little room above the box, as in the middle of an empty chat. */
function limitHeight({ availableHeight, elements }: { availableHeight: number; elements: { floating: HTMLElement } }) {
  elements.floating.style.setProperty('--room', `${Math.max(availableHeight, LEAST_PX)}px`);
}
