// One upload. An XMLHttpRequest, because a fetch does not tell how much of its body it has sent.
import { asFields, parseJson } from '@parley/schema/json';
import { PROBLEM_HEADER, type FileProblem } from '@parley/schema/files/file-problem';
import { isImageType } from '@parley/schema/files/file-types';
import type { Attachment } from '@parley/schema/messages/messages';
import { pause } from '../../lib/retry.ts';
import { requestHeaders, session } from '../../session/current-session.ts';

export interface Upload {
  /** Made here; the answer calls it `temp_file_id`. */
  id: string;
  file: File;
  mime: string;
  endpoint: string;
  /** Of an image, in pixels, where the browser can read it. */
  size: { width: number; height: number } | null;
  /** The assistant that the file is for; absent for a file of a message. */
  assistantId?: string;
  /** It stays among the person's files without a question that uses it. */
  isKept?: boolean;
}

interface UploadOptions {
  /** The share of the body that has been sent, from 0 to 1. */
  onProgress: (share: number) => void;
  /** The person keeps the same file already, which is the one that comes back. */
  onKnown?: () => void;
  signal: AbortSignal;
}

/**
 * The server refused the file, or could not be reached. `sentence` is the server's own, if it gave one, in English;
 * `problem` is what it says, where it is one that the app has words for.
 */
export class UploadError extends Error {
  sentence: string | null;
  problem: FileProblem | null;

  /** @param body of the server's answer, with the problem that its header names; null without an answer */
  constructor(body: unknown) {
    const sentence = messageIn(body);
    super(sentence ?? 'The upload failed');
    this.sentence = sentence;
    this.problem = problemIn(body);
  }
}

interface UploadResponse {
  status: number;
  /** With the problem of the header, if there is one. */
  body: unknown;
  /** Seconds; 0 when the server says nothing. */
  retryAfter: number;
}

const UNAUTHORIZED = 401;
const TOO_MANY = 429;
/** Milliseconds to wait when the server says that it receives enough for now, and how often. */
const BUSY_PAUSE_MS = 5_000;
const BUSY_TRIES_MAX = 6;
/** The server receives three uploads of a user at once; another tab may have one too. */
const AT_ONCE_MAX = 2;

let running = 0;
const waiting: (() => void)[] = [];

/** Uploads when it is its turn. @throws UploadError, or DOMException AbortError once `signal` is aborted */
export async function uploadFile(upload: Upload, options: UploadOptions): Promise<Attachment> {
  await enter();
  try {
    options.signal.throwIfAborted();
    return await uploadNow(upload, options);
  } finally {
    leave();
  }
}

async function uploadNow(upload: Upload, options: UploadOptions): Promise<Attachment> {
  const path = isImageType(upload.mime) && upload.size ? '/api/files/images' : '/api/files';
  const body = formOf(upload);
  let response = await post(path, body, await session.freshToken().catch(() => null), options);
  for (let tries = 0; tries < BUSY_TRIES_MAX && (response.status === UNAUTHORIZED || isBusy(response)); tries++) {
    const token = response.status === UNAUTHORIZED ? session.refresh() : session.freshToken();
    if (isBusy(response)) await pause(BUSY_PAUSE_MS, options.signal);
    response = await post(path, body, await token.catch(() => null), options);
  }
  const uploaded = response.status < 300 ? readUploaded(response.body) : null;
  if (!uploaded) throw new UploadError(response.body);
  if (asFields(response.body).temp_file_id !== upload.id) options.onKnown?.();
  return uploaded;
}

/** A short wait means that others are being received; a long one that there were too many. */
function isBusy({ status, retryAfter }: UploadResponse): boolean {
  return status === TOO_MANY && retryAfter > 0 && retryAfter * 1_000 <= BUSY_PAUSE_MS;
}

async function enter(): Promise<void> {
  window.addEventListener('beforeunload', warn);
  if (running >= AT_ONCE_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running++;
}

/** Hands the place to the next in line, if any. */
function leave(): void {
  const next = waiting.shift();
  if (next) next();
  else running--;
  if (running === 0) window.removeEventListener('beforeunload', warn);
}

/** Makes the browser ask before the page is left: what is being uploaded would be lost. */
function warn(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function formOf({ id, file, endpoint, size, assistantId, isKept }: Upload): FormData {
  const form = new FormData();
  // The fields come first: the server reads the body as it arrives.
  form.append('file_id', id);
  form.append('endpoint', endpoint);
  if (assistantId !== undefined) form.append('assistant_id', assistantId);
  // Otherwise the server takes it for knowledge of an assistant.
  else if (endpoint === 'assistants') form.append('message_file', 'true');
  if (isKept) form.append('keep', 'true');
  if (size) {
    form.append('width', String(size.width));
    form.append('height', String(size.height));
  }
  form.append('file', file, encodeURIComponent(file.name));
  return form;
}

/** Resolves with the answer of any status; the token goes into the headers. */
export function post(
  path: string,
  body: FormData,
  token: string | null,
  { onProgress, signal }: UploadOptions,
): Promise<UploadResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    signal.addEventListener('abort', abort);
    request.upload.addEventListener('progress', ({ loaded, total }) => total > 0 && onProgress(loaded / total));
    request.addEventListener('load', () => resolve(readResponse(request)));
    request.addEventListener('error', () => reject(new UploadError(null)));
    request.addEventListener('abort', () => reject(signal.reason));
    request.addEventListener('loadend', () => signal.removeEventListener('abort', abort));
    request.open('POST', path);
    for (const [name, value] of Object.entries(requestHeaders(token))) request.setRequestHeader(name, value);
    request.send(body);
  });
}

function readResponse(request: XMLHttpRequest): UploadResponse {
  const retryAfter = Number(request.getResponseHeader('retry-after')) || 0;
  const body = parseJson(request.responseText);
  const problem = request.getResponseHeader(PROBLEM_HEADER);
  const description = problem === null ? body : { ...asFields(body), problem: parseJson(decodeURIComponent(problem)) };
  return { status: request.status, body: description, retryAfter };
}

/** The sentence of an answer `{ message }`, as existing clients get it. */
function messageIn(body: unknown): string | null {
  const { message } = asFields(body);
  return typeof message === 'string' && message !== '' ? message : null;
}

function problemIn(body: unknown): FileProblem | null {
  const { problem } = asFields(body);
  return typeof asFields(problem).type === 'string' ? (problem as FileProblem) : null;
}

/** The document of the new file; null when it is not one. */
export function readUploaded(body: unknown): Attachment | null {
  const { file_id: fileId, filepath: path, filename: name, type: mime, bytes, width, height, ...rest } = asFields(body);
  if (typeof fileId !== 'string' || typeof path !== 'string' || typeof mime !== 'string') return null;
  const facts = {
    fileId,
    name: typeof name === 'string' ? name : fileId,
    mime,
    bytes: typeof bytes === 'number' ? bytes : 0,
  };
  return isImageType(mime) && typeof width === 'number' && typeof height === 'number'
    ? { type: 'image', path, width, height, ...facts }
    : { type: 'file', path: downloadPath(path, rest.user, fileId), ...facts };
}

/** Files whose text is indexed say `vectordb` instead of a path. */
function downloadPath(path: string, user: unknown, fileId: string): string {
  return path.startsWith('/') ? path : `/api/files/download/${String(user)}/${fileId}`;
}
