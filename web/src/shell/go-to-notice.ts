/** Puts the focus on the newest notice's first button; false when there is none. It returns when the notice goes. */
export function goToNotice(): boolean {
  const notice = [...document.querySelectorAll('[data-testid="toast"]')].at(-1);
  const button = notice?.querySelector('button');
  if (!notice || !button) return false;
  const before = document.activeElement;
  button.focus();
  const watching = new MutationObserver(() => {
    if (notice.isConnected) return;
    watching.disconnect();
    if (document.activeElement === document.body && before instanceof HTMLElement) before.focus();
  });
  if (notice.parentElement) watching.observe(notice.parentElement, { childList: true });
  return true;
}
