import type { CSSProperties } from 'react';

/** A style that sets custom properties, which the types of React do not know. */
export function cssVars(vars: Readonly<Record<`--${string}`, string | number>>): CSSProperties {
  return vars;
}
