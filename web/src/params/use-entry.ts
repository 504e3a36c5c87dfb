import { useState } from 'react';

interface Entry {
  text: string;
  setText: (text: string, valueAfter: string) => void;
  /** Shows the value in use again. */
  settle: () => void;
}

/** The text of a box as it is being written, which may not be the value in use. A value that comes from elsewhere wins. */
export function useEntry(inUse: string): Entry {
  const [entry, setEntry] = useState<{ text: string; valueThen: string } | null>(null);
  const isCurrent = entry !== null && entry.valueThen === inUse;
  return {
    text: isCurrent ? entry.text : inUse,
    setText: (text, valueThen) => setEntry({ text, valueThen }),
    settle: () => setEntry(null),
  };
}
