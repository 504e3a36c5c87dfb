/** Puts the focus on the newest notice's first button; false when there is none. The notice gives it back. */
export function goToNotice(): boolean {
  const button = [...document.querySelectorAll('[data-testid="toast"]')].at(-1)?.querySelector('button');
  button?.focus();
  return Boolean(button);
}
