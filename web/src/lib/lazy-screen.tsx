import { lazy, useState, type ComponentType } from 'react';

/**
 * A screen that arrives when it is wanted or, by `load`, before. One that is there is drawn at once: a lazy component
 * suspends even then, and React holds back for 300 ms what was suspended.
 */
export function lazyScreen<Props extends object>(read: () => Promise<ComponentType<Props>>) {
  let Arrived: ComponentType<Props> | null = null;
  const Lazy = lazy(() => load().then((screen) => ({ default: screen })));

  async function load(): Promise<ComponentType<Props>> {
    return (Arrived ??= await read());
  }

  function Screen(props: Props) {
    // For as long as it is shown: another component in its place would begin anew.
    const [Shown] = useState<ComponentType<Props>>(() => Arrived ?? Lazy);
    return <Shown {...props} />;
  }

  return { Screen, load };
}
