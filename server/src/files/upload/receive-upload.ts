// Receives one multipart request: its fields, and its file into a temporary file, hashed and counted while it arrives.
// Never holds more than a piece of it in memory.
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import busboy, { type Busboy } from 'busboy';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import { cleanText } from '@parley/schema/clean-text';
import { Refusal, refuse } from '../../platform/errors.ts';
import { receive, TooLarge } from '../../storage/arrivals.ts';
import { refuseFile } from './file-refusal.ts';
import { cutSlowUpload, type SlowUploadLimits } from './slow-upload.ts';

export interface Upload {
  fields: ReadonlyMap<string, string>;
  /** Null when the request has none. */
  file: ReceivedFile | null;
}

export interface ReceivedFile {
  /** Of the temporary file. Anyone who receives removes it. */
  path: string;
  bytes: number;
  /** SHA-256 in hexadecimal. */
  hash: string;
  name: string;
  /** The type that the sender claims; may be empty. */
  claimed: string;
}

interface ReceiveOptions {
  /** The folder of temporary files. */
  folder: string;
  /** The name of the form field that has the file. */
  fieldName: string;
  /** The largest file in bytes, by the fields that have arrived before it. May refuse. */
  maxBytes(fields: ReadonlyMap<string, string>): number;
  /** Called when the file begins to arrive, with what its sender declares about it. */
  onFile?(file: Pick<ReceivedFile, 'name' | 'claimed'>): void;
  senderLimits?: SlowUploadLimits;
}

const NAME_MAX = 255;
/** A refused request is read this far, in bytes, so that its sender gets the reason instead of a broken connection. */
const DISCARD_MAX = 8 * MEGABYTE;
const LIMITS = { files: 1, fields: 40, parts: 50, fieldNameSize: 100, fieldSize: 16 * 1024, headerPairs: 50 };

/**
 * @throws Refusal `invalid_input` for a request that is no such form, or a file over the limit; Error when the sender
 *   leaves or is cut. Nothing is left behind then.
 */
export async function receiveUpload(incoming: IncomingMessage, options: ReceiveOptions): Promise<Upload> {
  await mkdir(options.folder, { recursive: true });
  const path = join(options.folder, randomUUID());
  const stopWatching = cutSlowUpload(incoming, options.senderLimits);
  try {
    return await readForm(incoming, path, options);
  } catch (error) {
    await rm(path, { force: true });
    await discard(incoming);
    throw error;
  } finally {
    stopWatching();
  }
}

async function readForm(incoming: IncomingMessage, path: string, options: ReceiveOptions): Promise<Upload> {
  const parser = openParser(incoming);
  const fields = new Map<string, string>();
  let file: Promise<ReceivedFile> | null = null;
  parser.on('field', (name, value) => fields.set(name, cleanText(value)));
  parser.on('file', (name, stream, { filename, mimeType }) => {
    // A form that breaks off destroys its stream, also one that nobody reads.
    stream.on('error', () => undefined);
    if (name !== options.fieldName || file) return void stream.resume();
    const told = { name: nameOf(filename), claimed: mimeType === 'application/octet-stream' ? '' : mimeType };
    file = writeFile(stream, path, () => options.maxBytes(fields)).then((written) => ({ ...written, path, ...told }));
    options.onFile?.(told);
    // Ends the reading, which then reports this error.
    file.catch((error: unknown) => parser.destroy(error instanceof Error ? error : new Error(String(error))));
  });
  try {
    await feed(incoming, parser);
  } catch (error) {
    const cause = await Promise.resolve(file).then(
      () => error,
      (ofFile: unknown) => ofFile,
    );
    throw isOurs(cause) || hasLeft(incoming) ? cause : malformed();
  }
  return { fields, file: await file };
}

/** A request that was read to its end is destroyed, too. */
function hasLeft({ destroyed, complete }: IncomingMessage): boolean {
  return destroyed && !complete;
}

/** Unlike `stream.pipeline`, keeps the connection open on failure, so that the sender can be answered. */
function feed(incoming: IncomingMessage, parser: Busboy): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const leave = () => incoming.complete || parser.destroy(new Error('The sender left'));
    parser.once('close', resolve);
    parser.once('error', reject);
    incoming.once('error', leave);
    incoming.once('close', leave);
    incoming.pipe(parser);
  }).finally(() => incoming.unpipe(parser));
}

/** A refusal, or an error of the disk; any other comes from the form. */
function isOurs(error: unknown): boolean {
  return error instanceof Refusal || (error instanceof Error && 'syscall' in error);
}

function openParser(incoming: IncomingMessage) {
  try {
    return busboy({ headers: incoming.headers, defParamCharset: 'utf8', limits: LIMITS });
  } catch {
    return refuse({ type: 'invalid_input', text: 'The request must be a form with a file (multipart/form-data).' });
  }
}

/** Nothing here may throw into the parser, which would end the process: a refused endpoint rejects. */
async function writeFile(stream: Readable, path: string, limit: () => number) {
  try {
    return await receive(stream, path, limit());
  } catch (error) {
    if (error instanceof TooLarge) refuseSize(error.maxBytes);
    throw error;
  }
}

/** @throws Refusal `invalid_input`, in the words of the browser's own check */
export function refuseSize(maxBytes: number): never {
  const megabytes = Number((maxBytes / MEGABYTE).toFixed(2));
  return refuseFile({ type: 'too_large', megabytes });
}

function malformed(): Refusal {
  return new Refusal({ type: 'invalid_input', text: 'The form is not complete.' });
}

/** Clients encode names like parts of an address; a name that is not encoded stays as it is. */
function nameOf(sent: string | undefined): string {
  return cleanName(decoded(sent ?? ''));
}

/** The name that a file is kept under. */
export function cleanName(given: string): string {
  const name = cleanText(given)
    // Only the last part of a path, and no control characters.
    .replace(/^.*[/\\]/s, '')
    .replace(/\p{Cc}/gu, '')
    .trim();
  return [...name].slice(0, NAME_MAX).join('') || 'file';
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Reads on without keeping anything, until the request ends or the limit is reached. */
export async function discard(incoming: IncomingMessage): Promise<void> {
  if (incoming.destroyed || incoming.complete) return;
  let bytes = 0;
  try {
    const pieces: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > DISCARD_MAX) return;
    }
  } catch {
    // The sender left: nobody is there to read the reason.
  }
}
