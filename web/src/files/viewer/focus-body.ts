/** Marks what of a file is read: it takes the focus, so that the keys scroll it. */
const BODY = '[data-file-body]';

/** Focuses what is read, or the frame until that is there. */
export function focusBody(frame: HTMLElement | null): void {
  const body = frame?.querySelector<HTMLElement>(BODY) ?? frame;
  body?.focus({ preventScroll: true });
}

/** Passes the focus on to what is read once it is drawn, unless the person has moved on. */
export function passFocusOn(frame: HTMLElement): () => void {
  const observer = new MutationObserver(() => {
    if (document.activeElement === frame && frame.querySelector(BODY)) focusBody(frame);
  });
  observer.observe(frame, { subtree: true, childList: true });
  return () => observer.disconnect();
}
