import { useEffect, useRef } from 'react';

export const OPENS_SIDEBAR = 'data-opens-sidebar';
export const CLOSES_SIDEBAR = 'data-closes-sidebar';

/**
 * The button that toggles the sidebar goes away with what it toggled. The focus that was on it, or in a sidebar that
 * closed, goes to the button that takes it back.
 */
export function useFocusHandover(isOpen: boolean): void {
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    if (isLost(document.activeElement)) firstVisible(isOpen ? CLOSES_SIDEBAR : OPENS_SIDEBAR)?.focus();
  }, [isOpen]);
}

function isLost(focused: Element | null): boolean {
  return !focused || focused === document.body || focused.closest('[inert]') !== null || !focused.checkVisibility();
}

/** There is such a button for each width of the screen. */
function firstVisible(attribute: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[${attribute}]`)].find((element) => element.checkVisibility());
}
