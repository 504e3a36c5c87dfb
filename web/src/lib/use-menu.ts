import { useRef, useState, type KeyboardEvent } from 'react';
import { focusAtOnce } from './focus-at-once.ts';

/**
 * What is given to a Mantine menu, its dropdown and its button. It is open from the start: it is here because someone
 * asked for it. It has the focus at once and its button has it at once afterwards; Mantine remembers who had it only
 * when the menu has it already.
 */
export function useMenu() {
  const [opened, setOpen] = useState(true);
  const button = useRef<HTMLButtonElement>(null);
  const focusButton = () => button.current?.focus({ preventScroll: true });

  function onKeyDown({ key }: KeyboardEvent): void {
    if (key !== 'Escape') return;
    setOpen(false);
    focusButton();
  }

  return {
    button,
    focusButton,
    isOpen: opened,
    menu: {
      opened,
      onChange: setOpen,
      onClose: focusButton,
      closeOnEscape: false,
      returnFocus: false,
      // An element that is neither a row nor nothing to a screen reader.
      withInitialFocusPlaceholder: false,
    },
    dropdown: { ref: focusAtOnce, onKeyDown },
  } as const;
}
