import { useState, type RefObject } from 'react';

/** The state of a lazy menu and of what its rows open in its place, which returns the focus to the button when it closes. */
export function useMenuPart<Part>(button: RefObject<HTMLButtonElement | null>) {
  const [isWanted, setWanted] = useState(false);
  const [part, setPart] = useState<Part | null>(null);
  return {
    isWanted,
    setWanted,
    part,
    open(next: Part): void {
      setWanted(false);
      setPart(next);
    },
    close(takesFocus = true): void {
      setPart(null);
      if (takesFocus) button.current?.focus({ preventScroll: true });
    },
  };
}
