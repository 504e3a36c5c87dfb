import { useRef, useState, type SyntheticEvent } from 'react';

/**
 * A button that opens something which closes by itself when anything else is pressed or takes the focus. `handlers` are
 * the button's: its own press is what closes it there, and not the press before the click.
 */
export function useOpener() {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);

  /** Gives the focus back. */
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
    /** The focus went elsewhere by itself. */
    leave: () => setOpen(false),
    handlers: {
      onMouseDown: leaveOpen,
      onTouchStart: leaveOpen,
      onClick: () => (isOpen ? close() : setOpen(true)),
    },
  };
}
