// Before the model is asked: waits for attached files that are still being indexed, reads them, and searches those that
// are too long. What takes time is shown as a search in the reply.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FilePart, ToolCall } from '@parley/schema/messages/messages';
import { isTextType } from '@parley/schema/files/file-types';
import type { Delta } from '../../../generation/delta.ts';
import { queueMissing } from '../../../retrieval/documents.ts';
import type { DocumentRow } from '../../../retrieval/documents.ts';
import { isLent, isSearchable, type FileReading } from './file-reading.ts';
import { readShownDocuments, showFiles, wholeFiles, type AskedFiles, type FilesShown } from './files-shown.ts';

export interface Preparing extends FileReading {
  /** Looks for queued documents now. */
  wake(): void;
  /** How long files that are still being indexed are waited for. */
  waitMs: number;
  /** Names the search in the reply; null where there is a text already, which it must not divide. */
  callId: string | null;
}

const LOOK_EVERY_MS = 250;
const BEGUN_PROGRESS = 0.1;

/** Ends early when the signal aborts. Yields nothing when all files are at hand and fit. */
export async function* prepareFiles(
  preparing: Preparing,
  asked: AskedFiles,
  signal: AbortSignal,
): AsyncGenerator<Delta, FilesShown> {
  const { callId } = preparing;
  await queueMissing(preparing.query, preparing.userId, asked.files.map(idOf));
  const isReported = yield* waitForDocuments(preparing, asked, signal);
  const shown = await showFiles(preparing, asked);
  if (callId !== null && (isReported || shown.found > 0)) yield { type: 'tool', call: searchCall(callId, shown) };
  if (isReported || shown.found > 0) yield { type: 'asking' };
  return shown;
}

/** Returns whether it had to wait. */
async function* waitForDocuments(
  preparing: Preparing,
  asked: AskedFiles,
  signal: AbortSignal,
): AsyncGenerator<Delta, boolean> {
  const { callId, waitMs } = preparing;
  const end = performance.now() + waitMs;
  const isPending = createPendingCheck(preparing, asked);
  for (let isReported = false; ; isReported = true) {
    if (!(await isPending())) return isReported;
    if (!isReported && callId !== null) yield { type: 'tool', call: searchCall(callId, null) };
    if (!isReported) preparing.wake();
    const left = end - performance.now();
    if (left <= 0) return true;
    await sleep(Math.min(LOOK_EVERY_MS, left), undefined, { signal }).catch(() => {});
    if (signal.aborted) return true;
    yield { type: 'working' };
  }
}

/**
 * Plain text that is shown whole is read from the file itself, so only other files and long texts wait for the index.
 * Which texts are shown whole is counted once, when all other files have been read: by the rule that then shows them,
 * since tokens cannot be told from bytes.
 */
function createPendingCheck(preparing: Preparing, asked: AskedFiles): () => Promise<boolean> {
  let whole: ReadonlySet<string> | null = null;
  return async () => {
    const documents = await readShownDocuments(preparing, asked.files);
    const pending = asked.files.filter(({ fileId }) => isBeingRead(documents.get(fileId)));
    const isText = (file: FilePart) => isTextType(file.mime) && !isLent(preparing.lent, file);
    if (pending.length === 0) return false;
    if (!pending.every(isText)) return true;
    whole ??= await wholeFiles(preparing, asked, documents);
    return !pending.every(({ fileId }) => whole?.has(fileId));
  };
}

function isBeingRead(document: DocumentRow | undefined): boolean {
  return document !== undefined && document.state !== 'failed' && !isSearchable(document);
}

/** The search as the reply shows it: what was found, once it has ended. */
function searchCall(id: string, shown: FilesShown | null): ToolCall {
  const call = { id, kind: 'retrieval' as const, name: 'file_search', input: '' };
  if (!shown) return { ...call, output: null, progress: BEGUN_PROGRESS };
  const lines = shown.record.flatMap((file) => {
    if (file.shown !== 'passages') return [];
    const pages = [...new Set(file.passages.flatMap(({ page }) => page ?? []))];
    return [pages.length > 0 ? `${file.name}: ${pages.join(', ')}` : file.name];
  });
  return { ...call, output: lines.join('\n'), progress: 1 };
}

function idOf({ fileId }: FilePart): string {
  return fileId;
}
