import { useEffect, useState, type ComponentType } from 'react';

/** Milliseconds after the first render: a user who came to type has started by then. */
const LATER = 500;

/**
 * A part of the first screen that loads once the screen is usable. `Before` is its placeholder until then, and stays if
 * it cannot load.
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
      const timer = setTimeout(() => {
        importPart().then(
          (part) => {
            Loaded = part;
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
    return Placeholder ? <Placeholder /> : null;
  };
}
