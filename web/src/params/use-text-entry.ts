import { useState } from 'react';

interface Entry {
  text: string;
  setText: (text: string, valueAfter: string) => void;
  /** Resets the text to the current value. */
  settle: () => void;
}

/** The text of an input, which may differ from the value in use. An outside change of the value wins. */
export function useTextEntry(inUse: string): Entry {
  const [entry, setEntry] = useState<{ text: string; valueThen: string } | null>(null);
  const isCurrent = entry !== null && entry.valueThen === inUse;
  return {
    text: isCurrent ? entry.text : inUse,
    setText: (text, valueThen) => setEntry({ text, valueThen }),
    settle: () => setEntry(null),
  };
}
