import { asFields } from '@parley/schema/json';

/** Milliseconds until the first screen has loaded what it needs. */
const PRELOAD_AFTER_MS = 3_000;

const waiting: (() => Promise<unknown>)[] = [];
let isGoing = false;

/**
 * Preloads chunks one after another while the browser is idle: a menu then opens at once, even without a network. Does
 * nothing if the browser has no idle callback or is in data-saver mode.
 */
export function preloadWhenIdle(load: () => Promise<unknown>): void {
  if (!('requestIdleCallback' in globalThis)) return;
  waiting.push(load);
  if (isGoing) return;
  isGoing = true;
  setTimeout(() => void fetchAll(), PRELOAD_AFTER_MS);
}

async function fetchAll(): Promise<void> {
  for (let load = waiting.shift(); load && !savesData(); load = waiting.shift()) {
    await new Promise((resolve) => requestIdleCallback(resolve));
    await load().catch(() => undefined);
  }
  isGoing = false;
}

/** Not every browser has `navigator.connection`. */
function savesData(): boolean {
  return 'connection' in navigator && asFields(navigator.connection).saveData === true;
}
