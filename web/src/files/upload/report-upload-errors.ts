import { showToast } from '../../ui/toast/toast.ts';

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
  showToast({ message: listOf(gathered), severity: 'error', duration: SHOWN_MS });
  gathered.clear();
}

/** One sentence as it is, several as a list; below each the names of its files. */
export function listOf(sentences: ReadonlyMap<string, ReadonlySet<string>>): string {
  const isList = sentences.size > 1;
  const lines = [...sentences].flatMap(([sentence, names]) => {
    const listed = namesBelow([...names]);
    return [`${isList ? '• ' : ''}${sentence}`, ...listed.map((line) => (isList ? `${INDENT}${line}` : line))];
  });
  return lines.join('\n');
}

/** As wide as the mark of a list; other spaces at the beginning of a line are not shown. */
const INDENT = '\u00a0\u00a0\u00a0';

function namesBelow(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length - NAMES_MAX;
  return [`${names.slice(0, NAMES_MAX).join(', ')}${more > 0 ? `, +${more}` : ''}`];
}
