import { lazy, useState, type ComponentType } from 'react';
import { fetchAhead } from './fetch-ahead.ts';
import { renewStyles } from './renew-styles.ts';

/** The code of a part of the page could not be fetched: there is no network, or the server has a newer one. */
export class NotArrived extends Error {
  /** To be called by whoever deals with it: React remembers of a lazy component that it failed. */
  readonly forget: () => void;

  constructor(cause: unknown, forget: () => void) {
    super('A part of the page could not be fetched', { cause });
    this.forget = forget;
  }
}

/**
 * A part of the page that arrives when it is wanted, by `load` before, or `ahead`, as soon as nothing else is to be done.
 * One that is there is drawn at once: a lazy component suspends even then, and React holds back for 300 ms what was
 * suspended. One that did not arrive throws NotArrived.
 */
export function lazyScreen<Props extends object>(read: () => Promise<ComponentType<Props>>, when?: 'ahead') {
  let Arrived: ComponentType<Props> | null = null;
  let Lazy = createLazy();
  if (when === 'ahead') fetchAhead(load);

  function createLazy() {
    return lazy(() => load().then((screen) => ({ default: screen })));
  }

  async function load(): Promise<ComponentType<Props>> {
    try {
      await renewStyles();
      return (Arrived ??= await read());
    } catch (cause) {
      throw new NotArrived(cause, () => (Lazy = createLazy()));
    }
  }

  function Screen(props: Props) {
    // For as long as it is shown: another component in its place would begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => Arrived ?? Lazy);
    return <Shown {...props} />;
  }

  /** A failure is met again when it is wanted. */
  function preload(): void {
    load().catch(() => undefined);
  }

  return { Screen, load, preload };
}
