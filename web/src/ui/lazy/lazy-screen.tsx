import {
  createContext,
  use,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { loadSentences } from '../../i18n.ts';
import { retryStylesheets } from './retry-stylesheets.ts';
import { asFields } from '@parley/schema/json';

/** Milliseconds until the first screen has loaded what it needs. */
const PRELOAD_AFTER_MS = 3_000;

const waiting: (() => Promise<unknown>)[] = [];

let isGoing = false;

/** The fallback of a lazy component, and callbacks for its arrival or failure. */
export interface LazyBoundaryState {
  fallback: ReactNode;
  onFailure: () => void;
  /** Called before its first paint. */
  onArrival: (() => void) | undefined;
}

/** Without a boundary, nothing renders until the component loads, and a failure goes to the error boundary. */
export const LazyBoundaryContext = createContext<LazyBoundaryState | null>(null);

/**
 * A lazy component; it loads on first render, earlier with `load`, or with `ahead` once the browser is idle. Not
 * React.lazy, which shows its fallback for at least 300 ms, nor Suspense: a loaded component renders at once. A
 * `first` screen does without the sentences of all others.
 */
export function lazyScreen<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  when?: 'ahead' | 'first',
) {
  let Loaded: ComponentType<Props> | null = null;
  let hasFailed = false;
  if (when === 'ahead') preloadWhenIdle(load);

  async function load(): Promise<ComponentType<Props>> {
    if (Loaded) return Loaded;
    // Only its own: what failed of others must not keep it from opening without a network.
    if (hasFailed) await retryStylesheets();
    hasFailed = true;
    [Loaded] = await Promise.all([importPart(), when !== 'first' && loadSentences()]);
    hasFailed = false;
    return Loaded;
  }

  function Screen(props: Props): ReactNode {
    const place = use(LazyBoundaryContext);
    // Fixed while mounted: a different component would remount and lose its state.
    const [Shown, setShown] = useState<ComponentType<Props> | null>(() => Loaded);
    const [failure, setFailure] = useState<{ cause: unknown } | null>(null);
    const fail = useEffectEvent((cause: unknown) => (place ? place.onFailure() : setFailure({ cause })));
    const arrive = useEffectEvent(() => place?.onArrival?.());

    useLayoutEffect(() => {
      if (Shown) arrive();
    }, [Shown]);

    useEffect(() => {
      if (Shown) return;
      let isGone = false;
      load().then(
        (part) => isGone || setShown(() => part),
        (cause: unknown) => isGone || fail(cause),
      );
      return () => {
        isGone = true;
      };
    }, [Shown]);

    if (failure) throw failure.cause;
    return Shown ? <Shown {...props} /> : place?.fallback;
  }

  /** Ignores a failure; rendering the component reports it. */
  function preload(): void {
    load().catch(() => undefined);
  }

  return { Screen, load, preload };
}

/**
 * Preloads chunks one after another while the browser is idle: a menu then opens at once, even without a network. Does
 * nothing if the browser has no idle callback or is in data-saver mode.
 */
function preloadWhenIdle(load: () => Promise<unknown>): void {
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
