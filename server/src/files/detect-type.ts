// What type a file is by its bytes. What its sender claims counts only where bytes say nothing.
import { open, type FileHandle } from 'node:fs/promises';
import { typeOfFile } from '@parley/schema/files/file-types';
import { markedEncoding } from '../retrieval/extract/decode.ts';
import { typeOfZip } from './zip-type.ts';

/** Covers every signature; tar's stands at 257, and some writers put a line before that of a PDF. */
const HEAD_BYTES = 1024;

const SIGNATURES: readonly { type: string; at: number; bytes: string }[] = [
  { type: 'image/jpeg', at: 0, bytes: '\xff\xd8\xff' },
  { type: 'image/png', at: 0, bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', at: 0, bytes: 'GIF87a' },
  { type: 'image/gif', at: 0, bytes: 'GIF89a' },
  { type: 'image/webp', at: 8, bytes: 'WEBP' },
  { type: 'application/zip', at: 0, bytes: 'PK\x03\x04' },
  { type: 'application/zip', at: 0, bytes: 'PK\x05\x06' },
  { type: 'application/x-ole-storage', at: 0, bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'application/gzip', at: 0, bytes: '\x1f\x8b' },
  { type: 'application/x-tar', at: 257, bytes: 'ustar' },
];

const UNKNOWN = 'application/octet-stream';

/** Types whose files always have a signature: without it, a file is not of that type. */
const SIGNED = /^(image\/(jpeg|png|gif|webp)|application\/(pdf|zip|gzip|x-tar|epub\+zip|vnd\.openxmlformats-.+))$/;

/** The spreadsheets of old; browsers also claim these for CSV. */
const OLD_EXCEL = /^application\/(vnd\.ms-excel|(x-)?(ms-?|dos_ms_)?excel|(x-)?xls)$/;

/** Text types beside `text/…`. */
const TEXTUAL =
  /^(text\/.+|application\/(json|xml|csv|typescript|javascript|x-sh|x-ndjson|yaml|x-yaml|.+\+(json|xml))|image\/svg\+xml)$/;

/** Endings of text files beside those that the schema knows. */
const TEXT_ENDINGS: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  htm: 'text/html',
  css: 'text/css',
  java: 'text/x-java',
  json: 'application/json',
  xml: 'application/xml',
};

/**
 * The type of the file at `path`, called `name` by its sender; `claimed` may be empty. Null when neither its bytes nor
 * its sender tell.
 * @returns also a type that nobody accepts: the caller decides
 */
export async function detectType(path: string, name: string, claimed: string): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    const signed = await typeBySignature(file, name, claimed);
    if (signed) return signed;
    if (await isText(file, 'utf-8', NUL)) return typeOfText(name, claimed);
    const named = textTypeOf(name);
    return named && (await isOlderText(file)) ? named : typeOfUnknown(name, claimed);
  } finally {
    await file.close();
  }
}

async function typeBySignature(file: FileHandle, name: string, claimed: string): Promise<string | null> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
  const head = buffer.subarray(0, bytesRead).toString('latin1');
  if (head.includes('%PDF-')) return 'application/pdf';
  const found = SIGNATURES.find(({ at, bytes }) => head.startsWith(bytes, at))?.type ?? null;
  switch (found) {
    case 'application/zip':
      return typeOfZip(file);
    case 'application/x-ole-storage':
      return OLD_EXCEL.test(claimed) || endingOf(name) === 'xls' ? 'application/vnd.ms-excel' : found;
    case 'image/webp':
      return head.startsWith('RIFF') ? found : null;
    default:
      return found;
  }
}

/** What a text is for is up to its sender, as far as it is a text. */
function typeOfText(name: string, claimed: string): string | null {
  const told = typeOfFile(name, claimed);
  if (told && TEXTUAL.test(told)) return told;
  const named = textTypeOf(name);
  if (named) return named;
  return told && claimsSignature(told) ? UNKNOWN : told;
}

/** The text type of its ending; null for every other ending. */
function textTypeOf(name: string): string | null {
  const type = TEXT_ENDINGS[endingOf(name)] ?? typeOfFile(name, '');
  return type && TEXTUAL.test(type) ? type : null;
}

/** The bytes have no signature, so whoever claims such a type is wrong. */
function claimsSignature(type: string): boolean {
  return SIGNED.test(type) || OLD_EXCEL.test(type);
}

/** Neither a signature nor text. An operator may accept it by the claimed type, unless its bytes give that the lie. */
function typeOfUnknown(name: string, claimed: string): string | null {
  const told = typeOfFile(name, claimed);
  return told === null || TEXTUAL.test(told) || claimsSignature(told) ? UNKNOWN : told;
}

/** What no text in UTF-8 has, which its bytes alone tell from most other files. */
const NUL = /\0/;
/** What no text has at all; tab, the ends of lines and form feed are in many. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/;

/** Whether the bytes are UTF-16 under its mark, or else windows-1252, which knows every byte but is no noise. */
async function isOlderText(file: FileHandle): Promise<boolean> {
  return isText(file, (await readMark(file)) ?? 'windows-1252', CONTROLS);
}

async function readMark(file: FileHandle): Promise<string | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(3), 0, 3, 0);
  return markedEncoding(buffer.subarray(0, bytesRead));
}

/** Whether all bytes are text of this encoding without what `forbidden` finds. Reads the file in pieces. */
async function isText(file: FileHandle, encoding: string, forbidden: RegExp): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const piece = Buffer.alloc(256 * 1024);
  try {
    for (let at = 0; ;) {
      const { bytesRead } = await file.read(piece, 0, piece.length, at);
      if (forbidden.test(decoder.decode(piece.subarray(0, bytesRead), { stream: bytesRead > 0 }))) return false;
      if (bytesRead === 0) return true;
      at += bytesRead;
    }
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function endingOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).toLowerCase();
}
