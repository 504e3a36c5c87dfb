import { IconHash } from '@tabler/icons-react';
import { atom, useAtom } from 'jotai';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { requestHeaders, session } from '../auth/current.ts';
import { readStored, writeStored } from '../lib/persist.ts';
import classes from './token-count.module.css';

const STORED_AS = 'showTokenCount';
/** Milliseconds from the last key press to the question. */
const ASK_AFTER = 250;

const stored = atom(readStored(STORED_AS, false, (value) => (typeof value === 'boolean' ? value : undefined)));

/** Whether the person wants to know how many tokens a question has. */
const isWantedAtom = atom(
  (get) => get(stored),
  (_get, set, isWanted: boolean) => {
    set(stored, isWanted);
    writeStored(STORED_AS, isWanted);
  },
);

/** How many tokens the text has, for those who want to know; and the button that says whether one does. */
export function TokenCount({ text }: { text: string }) {
  const { t } = useTranslation();
  const [isWanted, setWanted] = useAtom(isWantedAtom);
  const count = useTokenCount(isWanted ? text : '');
  const label = isWanted ? t('com_chat_tokens_hide') : t('com_chat_tokens_show');
  return (
    <button
      type="button"
      className={classes.tokens}
      aria-pressed={isWanted}
      aria-label={label}
      title={label}
      onClick={() => setWanted(!isWanted)}
    >
      {isWanted && count !== null ? t('com_chat_tokens', { count }) : <IconHash aria-hidden />}
    </button>
  );
}

/** The newest count that came, which may be of a text a moment ago; null while there is none. */
export function useTokenCount(text: string): number | null {
  const [count, setCount] = useState<number | null>(null);
  useEffect(() => {
    if (text === '') return;
    const ending = new AbortController();
    const timer = setTimeout(() => {
      countTokens(text, ending.signal).then(setCount, () => {});
    }, ASK_AFTER);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  return count;
}

/** By a POST of its own: a question may be longer than an address can be, and none of the app's calls waits for it. */
async function countTokens(text: string, signal: AbortSignal): Promise<number | null> {
  const response = await fetch('/api/tokenizer', {
    method: 'POST',
    headers: { ...requestHeaders(session.get().token), 'content-type': 'application/json' },
    body: JSON.stringify({ arg: text }),
    signal,
  });
  if (!response.ok) return null;
  const { count } = (await response.json()) as { count?: unknown };
  return typeof count === 'number' ? count : null;
}
