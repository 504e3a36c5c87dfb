import { useRef, useState, type SyntheticEvent } from 'react';

/**
 * A button for a popover that closes on any outside press or loss of focus. Spread `handlers` on the button: its own
 * click then closes the popover, and not the mousedown before it.
 */
export function usePopoverButton() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  /** Closes and restores the focus. */
  function close(): void {
    setOpen(false);
    button.current?.focus({ preventScroll: true });
  }

  function leaveOpen(event: SyntheticEvent): void {
    if (!isOpen) return;
    event.stopPropagation();
    if (event.type === 'mousedown') event.preventDefault();
  }

  return {
    isOpen,
    button,
    close,
    /** Closes after the focus has moved elsewhere. */
    leave: () => setOpen(false),
    handlers: {
      onMouseDown: leaveOpen,
      onTouchStart: leaveOpen,
      onClick: () => (isOpen ? close() : setOpen(true)),
    },
  };
}
