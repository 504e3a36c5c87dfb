import { useEffect, useState } from 'react';
import { copyText } from '../lib/clipboard.ts';

/** Duration of the confirmation, in milliseconds. */
const COPIED_MS = 3_000;

/** Copies text, and confirms it for a while. */
export function useCopied() {
  const [copied, setCopied] = useState(0);
  useEffect(() => {
    if (copied === 0) return;
    const timer = setTimeout(() => setCopied(0), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy(text: string): Promise<void> {
    if (await copyText(text)) setCopied((times) => times + 1);
  }
  return { copied: copied > 0, copy: (text: string) => void copy(text) };
}
