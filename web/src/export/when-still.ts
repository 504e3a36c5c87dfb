/** An element that has not changed for so long is finished: formulas, colours and fonts arrive one after the other. */
const STILL_MS = 400;
const LONGEST_MS = 20_000;

/** Resolves when nothing in an element changes any more and its pictures and fonts are there, or when it takes too long. */
export async function whenStill(element: HTMLElement, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    let timer = setTimeout(end, STILL_MS);
    const latest = setTimeout(end, LONGEST_MS);
    const observer = new MutationObserver(() => {
      clearTimeout(timer);
      timer = setTimeout(end, STILL_MS);
    });
    observer.observe(element, { subtree: true, childList: true, characterData: true, attributes: true });
    signal.addEventListener('abort', end);
    function end(): void {
      clearTimeout(timer);
      clearTimeout(latest);
      observer.disconnect();
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
  // A picture that is not there leaves its place empty.
  await Promise.all([...element.querySelectorAll('img')].map((image) => image.decode().catch(() => undefined)));
  await document.fonts.ready;
}
