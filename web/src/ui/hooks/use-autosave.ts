import { useEffect, useEffectEvent, useRef, useState } from 'react';

/** Milliseconds from the last key press until what was written is saved. */
const SAVE_AFTER_MS = 800;

export interface Autosaved<Value> {
  /** What was written, else what is stored. */
  value: Value;
  change: (value: Value) => void;
  state: 'unchanged' | 'saving' | 'saved';
  /** Why the last save failed; null where it did not. */
  error: unknown;
}

/** Saves what is written as soon as the person pauses, and at the latest when the page is left. */
export function useAutosave<Value>(
  stored: Value,
  save: (value: Value) => Promise<unknown>,
  afterMs = SAVE_AFTER_MS,
): Autosaved<Value> {
  const [written, setWritten] = useState<{ value: Value } | null>(null);
  const [state, setState] = useState<Autosaved<Value>['state']>('unchanged');
  const [error, setError] = useState<unknown>(null);
  const unsaved = useRef<{ value: Value } | null>(null);
  const saveNow = useEffectEvent((value: Value) => save(value));

  useEffect(() => {
    if (!written) return;
    unsaved.current = written;
    const timer = setTimeout(() => {
      unsaved.current = null;
      setState('saving');
      saveNow(written.value).then(
        () => {
          setError(null);
          setState('saved');
          // What another browser saves from now on is shown.
          setWritten((now) => (now === written ? null : now));
        },
        (failure: unknown) => {
          unsaved.current = written;
          setError(failure);
        },
      );
    }, afterMs);
    return () => clearTimeout(timer);
  }, [written, afterMs]);

  const leave = useEffectEvent(() => {
    if (unsaved.current) void save(unsaved.current.value).catch(() => {});
  });
  useEffect(() => () => leave(), []);
  return { value: written ? written.value : stored, change: (value) => setWritten({ value }), state, error };
}
