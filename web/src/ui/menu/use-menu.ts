import { useRef, useState, type KeyboardEvent } from 'react';
import { focusOnOpen } from './focus-on-open.ts';
import { menuLook } from './menu-row.tsx';

/**
 * The props of a Mantine menu, its dropdown and its button. It is initially open, because it mounts when the user opens
 * it. It takes the focus at once and returns it to its button on close; Mantine records the previous focus too late,
 * when the menu already has it.
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
      // Where there is room neither below nor above the button, it covers the button rather than leave the screen.
      middlewares: { shift: { crossAxis: true } },
      // Inside the landmark of its button; fixed, so that a list does not clip it.
      withinPortal: false,
      floatingStrategy: 'fixed',
      transitionProps: { duration: 0 },
      classNames: menuLook,
      // Mantine's placeholder is neither a menu item nor hidden from screen readers.
      withInitialFocusPlaceholder: false,
    },
    dropdown: { ref: focusOnOpen, onKeyDown },
  } as const;
}
