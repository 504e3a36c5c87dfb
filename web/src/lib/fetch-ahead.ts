/** Milliseconds until the first screen has what it needs. */
const AFTER = 3_000;

const waiting: (() => Promise<unknown>)[] = [];
let isGoing = false;

/**
 * Fetches what may be wanted later one after another while nothing else is to be done: a menu is then there at once, and
 * there without a network too. Not where the browser cannot tell when that is, or is to be sparing.
 */
export function fetchAhead(load: () => Promise<unknown>): void {
  if (!('requestIdleCallback' in globalThis)) return;
  waiting.push(load);
  if (isGoing) return;
  isGoing = true;
  setTimeout(() => void fetchAll(), AFTER);
}

async function fetchAll(): Promise<void> {
  for (let load = waiting.shift(); load && !isSparing(); load = waiting.shift()) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    await load().catch(() => undefined);
  }
  isGoing = false;
}

/** What a browser says of its connection is not known to every one of them. */
function isSparing(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true;
}
