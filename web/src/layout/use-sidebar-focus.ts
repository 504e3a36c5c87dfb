import { useEffect, useRef } from 'react';

export const OPENS_SIDEBAR = 'data-opens-sidebar';
export const CLOSES_SIDEBAR = 'data-closes-sidebar';

/**
 * The toggle button of the sidebar disappears when it is used. This moves the focus from it, or from a sidebar that
 * closed, to the button that reverses the toggle.
 */
export function useSidebarFocus(isOpen: boolean): void {
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

/** One such button exists for each screen width. */
function firstVisible(attribute: string): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>(`[${attribute}]`)].find((element) => element.checkVisibility());
}
