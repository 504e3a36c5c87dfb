/**
 * Milliseconds; an element unchanged for this long is complete: formulas, highlighting and fonts load one after the
 * other.
 */
const STILL_MS = 400;
const LONGEST_MS = 20_000;

/** Resolves when an element stops changing and its images and fonts have loaded, or after a timeout. */
export async function untilStable(element: HTMLElement, signal: AbortSignal): Promise<void> {
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
  // A broken image leaves an empty space.
  await Promise.all(
    [...element.querySelectorAll('img')].map((image) => {
      // Those far below the view would load once it comes near.
      image.loading = 'eager';
      return image.decode().catch(() => undefined);
    }),
  );
  await document.fonts.ready;
}
