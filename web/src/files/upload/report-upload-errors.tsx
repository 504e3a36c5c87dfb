import type { ReactNode } from 'react';
import { showToast } from '../../ui/toast/toast.ts';
import classes from './report-upload-errors.module.css';

/** Milliseconds in which errors are gathered, so that ten refused files make one message. */
const GATHER_MS = 250;
const SHOWN_MS = 5_000;
/** The names that a message shows; of the others it shows how many they are. */
const NAMES_MAX = 3;

/** The names of the files that it is about, by the sentence. */
const gathered = new Map<string, Set<string>>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the sentence and the names of its files soon, in a list with others of the same moment. */
export function reportUploadError(sentence: string, names: readonly string[] = []): void {
  gathered.set(sentence, new Set([...(gathered.get(sentence) ?? []), ...names]));
  clearTimeout(timer);
  timer = setTimeout(show, GATHER_MS);
}

function show(): void {
  showToast({ message: listOf(uploadErrorTexts(gathered)), severity: 'error', duration: SHOWN_MS });
  gathered.clear();
}

/** The sentences, below each the names of its files. */
export function uploadErrorTexts(sentences: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...sentences].map(([sentence, names]) => [sentence, ...namesBelow([...names])].join('\n'));
}

/** One text as it is, several as a list. */
function listOf(texts: readonly string[]): ReactNode {
  if (texts.length < 2) return texts;
  return (
    <ul className={classes.list}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

function namesBelow(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - NAMES_MAX;
  return [`${names.slice(0, NAMES_MAX).join(', ')}${more > 0 ? `, +${more}` : ''}`];
}
