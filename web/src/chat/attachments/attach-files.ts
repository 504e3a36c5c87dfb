// Uploads of files for an unsent question, each a chip in its draft.
import type { FileLimits } from '@parley/schema/files/file-limits';
import { isTransient } from '@parley/schema/files/file-problem';
import { isImageType } from '@parley/schema/files/file-types';
import type { Attachment } from '@parley/schema/messages/messages';
import { checkFiles } from '../../files/upload/check-files.ts';
import { withTypes } from '../../files/upload/type-of-file.ts';
import { refreshFiles } from '../../files/files-api.ts';
import { describeProblem, describeUploadError } from '../../files/upload/describe-problem.ts';
import { readImageSize } from '../../files/upload/image-size.ts';
import { removeLater } from '../../files/upload/remove-later.ts';
import { reportUploadError } from '../../files/upload/report-upload-errors.tsx';
import { UploadError, uploadFile } from '../../files/upload/upload-file.ts';
import { i18n } from '../../i18n.ts';
import { newId } from '../../lib/new-id.ts';
import type { Store } from '../../lib/jotai-store.ts';
import type { AttachmentsAtom, DraftAttachment } from '../drafts/draft-attachments.ts';
import { changeAttachment } from './change-attachment.ts';
import { explainSlowUpload } from './explain-slow-upload.ts';

/** Where an upload stands, as existing clients count it. Sending the bytes goes from one step to the next. */
const STEPS = { chosen: 0.2, measured: 0.6, stored: 0.9, ready: 1 };
/** Milliseconds that a finished bar stays. */
const READY_AFTER_MS = 300;

export interface AttachDeps {
  store: Store;
  list: AttachmentsAtom;
  /** The key of the draft. */
  draft: string;
  endpoint: string;
  limits: FileLimits;
}

interface Running {
  file: File;
  /** The upload's endpoint and draft, for a retry. */
  deps: AttachDeps;
  /** Aborted once the attachment is taken out. */
  ending: AbortController;
  /** The server has it; the attachment shows it only when its bar is full. */
  stored?: Attachment;
}

/** Uploads of this page by the attachment's id, until their bar is full; failed ones stay for a retry. */
const uploads = new Map<string, Running>();

/** Checks the files and uploads those that may be attached, all at once. */
export async function attachFiles(deps: AttachDeps, files: readonly File[]): Promise<void> {
  const { store, list, limits } = deps;
  const typed = await withTypes(files);
  const { accepted, problems } = checkFiles(typed, store.get(list), limits);
  for (const { problem, names } of problems) reportUploadError(describeProblem(problem, i18n.t), names);
  const added = accepted.map(({ file, mime }) => ({ file, chip: chipOf(file, mime) }));
  store.set(list, [...store.get(list), ...added.map(({ chip }) => chip)]);
  for (const { file, chip } of added) void upload({ file, deps, ending: new AbortController() }, chip);
}

/** Uploads a failed file again. */
export function retryUpload(id: string): void {
  const failed = uploads.get(id);
  const chip = failed?.deps.store.get(failed.deps.list).find((one) => one.id === id);
  if (!failed || !chip?.failure) return;
  changeAttachment(failed.deps.store, failed.deps.list, id, { failure: undefined, progress: STEPS.chosen });
  void upload({ ...failed, ending: new AbortController() }, chip);
}

/** Takes an attachment out: cancels its upload, or deletes its file unless something else may use it. */
export function detach(
  { store, list, draft }: Pick<AttachDeps, 'store' | 'list' | 'draft'>,
  { id, attachment, isShared, preview }: DraftAttachment,
): void {
  const running = uploads.get(id);
  running?.ending.abort();
  uploads.delete(id);
  if (preview) URL.revokeObjectURL(preview);
  const stored = attachment ?? running?.stored;
  if (stored && !isShared) removeLater(stored.fileId, draft);
  store.set(
    list,
    store.get(list).filter((one) => one.id !== id),
  );
}

function chipOf(file: File, mime: string): DraftAttachment {
  return {
    id: newId(),
    name: file.name,
    mime,
    bytes: file.size,
    progress: STEPS.chosen,
    preview: isImageType(mime) ? URL.createObjectURL(file) : undefined,
    attachment: null,
    isShared: false,
  };
}

async function upload(running: Running, chip: DraftAttachment): Promise<void> {
  const { id, mime } = chip;
  const { file, deps, ending } = running;
  const { signal } = ending;
  uploads.set(id, running);
  const change = (next: Partial<DraftAttachment>) =>
    !signal.aborted && changeAttachment(deps.store, deps.list, id, next);
  const endExplaining = explainSlowUpload(file.name, signal);
  try {
    const size = isImageType(mime) ? await readImageSize(file) : null;
    const begun = size ? STEPS.measured : STEPS.chosen;
    change({ progress: begun });
    const sending = abortUnlessSent(signal);
    const onProgress = (share: number) => {
      sending.sent(share);
      change({ progress: begun + share * (STEPS.stored - begun) });
    };
    const options = { onProgress, signal: sending.signal };
    const stored = await uploadFile({ id, file, mime, endpoint: deps.endpoint, size }, options);
    if (signal.aborted) return removeLater(stored.fileId, deps.draft);
    running.stored = stored;
    change({ progress: STEPS.stored });
    void refreshFiles();
    setTimeout(() => {
      if (uploads.get(id) === running) uploads.delete(id);
      change({ progress: STEPS.ready, attachment: stored });
    }, READY_AFTER_MS);
  } catch (error) {
    if (signal.aborted) return;
    const failure = describeUploadError(error, i18n.t);
    reportUploadError(failure, [file.name]);
    change({ failure });
    // Another try would end like this one.
    if (error instanceof UploadError && error.problem && !isTransient(error.problem)) detach(deps, chip);
  } finally {
    endExplaining();
  }
}

/** A signal for the request: the server keeps a file that has been sent, and only its reply has what deletes it. */
function abortUnlessSent(signal: AbortSignal) {
  const sending = new AbortController();
  let isSent = false;
  if (signal.aborted) sending.abort(signal.reason);
  signal.addEventListener('abort', () => isSent || sending.abort(signal.reason));
  return { signal: sending.signal, sent: (share: number) => void (isSent = share === 1) };
}
