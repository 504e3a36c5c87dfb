import { showToast } from '../../ui/toast/toast.ts';

/** Milliseconds in which errors are gathered, so that ten refused files make one message. */
const GATHER_MS = 250;
const SHOWN_MS = 5_000;

const gathered = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the sentence soon, in a list with others of the same moment. */
export function reportUploadError(sentence: string): void {
  gathered.add(sentence);
  clearTimeout(timer);
  timer = setTimeout(show, GATHER_MS);
}

function show(): void {
  showToast({ message: listOf([...gathered]), severity: 'error', duration: SHOWN_MS });
  gathered.clear();
}

/** One sentence as it is, several as a list of lines. */
export function listOf(sentences: readonly string[]): string {
  return sentences.length > 1 ? sentences.map((sentence) => `• ${sentence}`).join('\n') : (sentences[0] ?? '');
}
