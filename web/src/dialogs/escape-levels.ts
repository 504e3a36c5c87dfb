// What Escape leaves inside a dialog before it closes the dialog, such as a form in the place of a list.
import { createContext, useContext, useEffect, useEffectEvent } from 'react';

/** The innermost last. */
export type EscapeLevels = Set<() => void>;

export const EscapeLevelsContext = createContext<EscapeLevels | null>(null);

/** While mounted, Escape calls `leave`, wherever in the dialog the focus is; the dialog stays open. */
export function useEscapeLevel(leave: () => void): void {
  const levels = useContext(EscapeLevelsContext);
  const onEscape = useEffectEvent(leave);
  useEffect(() => {
    const level = () => onEscape();
    levels?.add(level);
    return () => void levels?.delete(level);
  }, [levels]);
}
