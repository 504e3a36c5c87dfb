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
import { fetchAhead } from './fetch-ahead.ts';
import { renewStyles } from './renew-styles.ts';

/** What stands in the place of a part of the page until it has arrived, and who hears that it has or cannot. */
export interface Place {
  fallback: ReactNode;
  onFailure: () => void;
  /** It is about to be painted. */
  onArrival: (() => void) | undefined;
}

/** Without a place there is nothing until the part is there, and one that cannot be fetched is the screen's failure. */
export const PlaceContext = createContext<Place | null>(null);

/**
 * A part of the page that arrives when it is wanted, by `load` before, or `ahead`, as soon as nothing else is to be done.
 * Neither React.lazy, which would show what has arrived only 300 ms after its stand-in, nor Suspense: what is there is
 * drawn at once.
 */
export function lazyScreen<Props extends object>(read: () => Promise<ComponentType<Props>>, when?: 'ahead') {
  let Arrived: ComponentType<Props> | null = null;
  if (when === 'ahead') fetchAhead(load);

  async function load(): Promise<ComponentType<Props>> {
    if (Arrived) return Arrived;
    await renewStyles();
    return (Arrived = await read());
  }

  function Screen(props: Props): ReactNode {
    const place = use(PlaceContext);
    // For as long as it is shown: another component in its place would begin anew.
    const [Shown, setShown] = useState<ComponentType<Props> | null>(() => Arrived);
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

  /** A failure is met again when it is wanted. */
  function preload(): void {
    load().catch(() => undefined);
  }

  return { Screen, load, preload };
}
