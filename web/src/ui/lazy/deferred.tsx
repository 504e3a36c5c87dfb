import { useEffect, useState, type ComponentType } from 'react';

/** Milliseconds after the first render: a user who came to type has started by then. */
const LATER = 500;
/** Milliseconds between two tries to load it. */
const AGAIN = 10_000;

/**
 * A part of the first screen that loads once the screen is usable, and tries again while it cannot be loaded.
 * `Placeholder` stands in its place until then.
 */
export function deferred<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  Placeholder?: ComponentType,
): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;

  return function Later(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => Loaded);
    useEffect(() => {
      if (Part) return;
      let isGone = false;
      let timer = setTimeout(load, LATER);
      function load(): void {
        importPart().then(
          (part) => {
            Loaded = part;
            if (!isGone) setPart(() => part);
          },
          () => {
            if (!isGone) timer = setTimeout(load, AGAIN);
          },
        );
      }
      return () => {
        isGone = true;
        clearTimeout(timer);
      };
    }, [Part]);
    if (Part) return <Part {...props} />;
    return Placeholder ? <Placeholder /> : null;
  };
}
