import { useEffect, useState, type ComponentType } from 'react';

/** Milliseconds after the screen was drawn: whoever came to type has begun to. */
const LATER = 500;

/**
 * A part of the first screen that is fetched once the screen can be used. `Before` keeps its place until then, and for
 * good where it cannot be fetched: the screen does without it.
 */
export function lazyLater<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  Before?: ComponentType,
): ComponentType<Props> {
  let Arrived: ComponentType<Props> | null = null;

  return function Later(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => Arrived);
    useEffect(() => {
      if (Part) return;
      let isGone = false;
      const timer = setTimeout(() => {
        read().then(
          (part) => {
            Arrived = part;
            if (!isGone) setPart(() => part);
          },
          () => undefined,
        );
      }, LATER);
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [Part]);
    if (Part) return <Part {...props} />;
    return Before ? <Before /> : null;
  };
}
