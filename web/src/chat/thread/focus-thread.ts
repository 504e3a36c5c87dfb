/** For when the message that has the focus is about to go away. */
export function focusThread(): void {
  const thread = document.querySelector<HTMLElement>('[role=log]');
  const { activeElement } = document;
  if (activeElement === document.body || thread?.contains(activeElement)) thread?.focus({ preventScroll: true });
}
