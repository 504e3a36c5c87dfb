// What type a file is. One rule for the browser, which refuses before it uploads, and the server: its bytes decide,
// then the ending of its name, then what its sender says. What is text is text, whatever its name.
import type { ByteSource } from './byte-source.ts';
import { isTextType, typeOfEnding, UNKNOWN_TYPE, fileEnding } from './file-types.ts';
import { typeOfZip } from './zip-type.ts';

const OLE = 'application/x-ole-storage';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const STREAMS: Readonly<Record<string, string>> = {
  WordDocument: 'application/msword',
  Workbook: 'application/vnd.ms-excel',
  Book: 'application/vnd.ms-excel',
  'PowerPoint Document': 'application/vnd.ms-powerpoint',
};

/** The names of the streams of a mail, as Outlook saves it, begin so. */
const MAIL = /^__(substg1\.0_|properties_version1\.0|nameid_version1\.0|recip_version1\.0_)/;

/** A newer document with a password is a stream of such a file. */
const LOCKED = 'EncryptedPackage';

/** By endings, where the directory is not found. */
const ENDINGS: Readonly<Record<string, string>> = {
  doc: 'application/msword',
  dot: 'application/msword',
  msg: 'application/vnd.ms-outlook',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: `${OFFICE}.wordprocessingml.document`,
  xlsx: `${OFFICE}.spreadsheetml.sheet`,
  pptx: `${OFFICE}.presentationml.presentation`,
};

const ENTRY_LENGTH = 128;

/** Of the directory: what matters stands at its beginning. */
const DIRECTORY_LENGTH = 64 * ENTRY_LENGTH;

export interface DetectedType {
  /** Also a type that nobody accepts: the caller decides. */
  mime: string;
  /**
   * The encoding of a text: only its beginning has been looked at. 'older' stands for one that is neither UTF-8 nor
   * UTF-16, which a closer look must find.
   */
  text: TextEncoding | null;
}

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'older';

/** Tells most texts from other files. Signatures stand before this. */
const SAMPLE_BYTES = 64 * 1024;
/** Some writers put a line before the signature of a PDF. */
const PDF_WITHIN = 1024;

const SIGNATURES: readonly { type: string; at?: number; bytes: string }[] = [
  { type: 'image/jpeg', bytes: '\xff\xd8\xff' },
  { type: 'image/png', bytes: '\x89PNG\r\n\x1a\n' },
  { type: 'image/gif', bytes: 'GIF87a' },
  { type: 'image/gif', bytes: 'GIF89a' },
  { type: 'image/tiff', bytes: 'II*\0' },
  { type: 'image/tiff', bytes: 'MM\0*' },
  { type: 'application/zip', bytes: 'PK\x03\x04' },
  { type: 'application/zip', bytes: 'PK\x05\x06' },
  { type: 'application/x-ole-storage', bytes: '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1' },
  { type: 'application/gzip', bytes: '\x1f\x8b' },
  { type: 'application/x-tar', at: 257, bytes: 'ustar' },
  { type: 'application/rtf', bytes: '{\\rtf' },
  { type: 'application/onenote', bytes: '\xe4\x52\x5c\x7b\x8c\xd8\xa7\x4d\xae\xb1\x53\x78\xd0\x29\x96\xd3' },
];

/** By the brand of a file in the container of MPEG-4. */
const BRANDS: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  avis: 'image/avif',
  heic: 'image/heic',
  heix: 'image/heic',
  hevc: 'image/heic',
  heim: 'image/heic',
  heis: 'image/heic',
  mif1: 'image/heic',
  msf1: 'image/heic',
};

/** Types whose files always have a signature: without it, a file is not of that type. */
const SIGNED =
  /^(image\/(jpeg|png|gif|webp|avif|heic|tiff|bmp)|application\/(pdf|zip|gzip|x-tar|rtf|msword|epub\+zip|onenote|vnd\.(openxmlformats|oasis|apple|ms-powerpoint|ms-outlook).*))$/;

/** The spreadsheets of old; browsers also claim these for CSV. */
const OLD_EXCEL = /^application\/(vnd\.ms-excel|(x-)?(ms-?|dos_ms_)?excel|(x-)?xls)$/;

/** @param claimed by its sender; may be empty */
export async function detectType(file: ByteSource, name: string, claimed: string): Promise<DetectedType> {
  const sample = await file.read(0, Math.min(file.size, SAMPLE_BYTES));
  const isWhole = sample.length === file.size;
  const text = encodingOf(sample, isWhole, isTextName(name));
  const signed = await typeBySignature(file, latin1(sample.subarray(0, PDF_WITHIN)), name, text !== null);
  if (signed !== null) return { mime: signed, text: null };
  if (text !== null) return { mime: typeOfText(name, claimed), text };
  // Almost any bytes are text of some older encoding, so the name must say that these are.
  if (isTextName(name) && markOf(sample) === undefined && hasFewControls(latin1(sample), true))
    return { mime: typeOfText(name, claimed), text: 'older' };
  return { mime: typeOfOthers(claimed), text: null };
}

/** The type of a file that has no signature and is no text: what its sender says, unless the bytes give that the lie. */
export function typeOfOthers(claimed: string): string {
  const type = plainType(claimed);
  const isLie = type === '' || isTextType(type) || SIGNED.test(type) || OLD_EXCEL.test(type);
  return isLie ? UNKNOWN_TYPE : type;
}

/** Without parameters, such as the encoding. */
function plainType(claimed: string): string {
  return claimed.split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Before any byte is there: what a file probably is. */
export function guessType(name: string, claimed: string): string {
  return typeOfEnding(name) ?? (claimed === '' ? UNKNOWN_TYPE : claimed);
}

async function typeBySignature(file: ByteSource, head: string, name: string, isText: boolean): Promise<string | null> {
  const pdf = head.indexOf('%PDF-');
  // A text may speak of the signature.
  if (pdf >= 0 && (!isText || head.slice(0, pdf).trim().length <= BOM_LENGTH)) return 'application/pdf';
  const found = SIGNATURES.find(({ at = 0, bytes }) => head.startsWith(bytes, at))?.type ?? null;
  if (found === 'application/zip') return typeOfZip(file, name);
  if (found === 'application/x-ole-storage') return typeOfOle(file, name);
  if (found !== null) return found;
  if (head.startsWith('RIFF') && head.startsWith('WEBP', 8)) return 'image/webp';
  if (head.startsWith('ftyp', 4)) return typeByBrands(head.slice(8, head.charCodeAt(3)));
  return isBitmap(head) ? 'image/bmp' : null;
}

/** The first brand of four letters, then the version, then those that it is compatible with. */
function typeByBrands(brands: string): string | null {
  const type = BRANDS[brands.slice(0, 4)] ?? null;
  return type === 'image/heic' && /^.{8}(?:.{4})*?avi[fs]/s.test(brands) ? 'image/avif' : type;
}

/** Of the mark of UTF-8, read as latin1. */
const BOM_LENGTH = 3;

const HEADER_LENGTHS = [12, 40, 52, 56, 64, 108, 124];

/** Two letters are no signature: its second header begins with its own length. */
function isBitmap(head: string): boolean {
  return head.startsWith('BM') && HEADER_LENGTHS.includes(head.charCodeAt(14)) && head.startsWith('\0\0\0', 15);
}

/** What a text is for its name says, else its sender, as far as that is a text. */
function typeOfText(name: string, claimed: string): string {
  const named = typeOfEnding(name);
  if (named && !SIGNED.test(named)) return named;
  const type = plainType(claimed);
  return type.startsWith('text/') ? type : 'text/plain';
}

/** Whether the ending of the name is one of texts. */
export function isTextName(name: string): boolean {
  const named = typeOfEnding(name);
  return named !== undefined && !SIGNED.test(named);
}

function encodingOf(sample: Uint8Array, isWhole: boolean, isNamedText: boolean): Exclude<TextEncoding, 'older'> | null {
  const marked = markOf(sample) ?? (isNamedText ? unmarkedUtf16(sample) : null);
  return isTextIn(marked ?? 'utf-8', sample, isWhole, isNamedText) ? (marked ?? 'utf-8') : null;
}

/** Of a text in UTF-16, ends of lines at least are ASCII; of one in a script of Europe, all spaces and signs. */
const PLAUSIBLE_SHARE = 0.98;

/**
 * UTF-16 without its mark, by the zeros that ASCII has in it: all first or all second bytes of a pair, and more of them
 * than a text of another encoding has by mistake. @param sample from the beginning of the file
 */
export function unmarkedUtf16(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const pairs = sample.subarray(0, sample.length - (sample.length % 2));
  const zeros = [0, 0];
  for (const [at, byte] of pairs.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [first = 0, second = 0] = zeros;
  if (first > 0 === second > 0 || (isUtf8(sample) && first + second < 0.1 * pairs.length)) return null;
  const encoding = second > 0 ? 'utf-16le' : 'utf-16be';
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(pairs, { stream: true });
    const plausible = text.match(/[\p{L}\p{M}\p{N}\p{P}\p{Sm}\p{Sc}\p{So}\p{Zs}\t\r\n]/gu)?.join('').length ?? 0;
    return text !== '' && plausible >= PLAUSIBLE_SHARE * text.length ? encoding : null;
  } catch {
    return null;
  }
}

function isUtf8(sample: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return true;
  } catch {
    return false;
  }
}

function markOf([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

function isTextIn(encoding: string, sample: Uint8Array, isWhole: boolean, isNamedText: boolean): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: !isWhole });
    return hasFewControls(text, isNamedText);
  } catch {
    return false;
  }
}

/** Escape codes of terminals and form feeds stand in texts, too. */
const CONTROLS_SHARE = 0.02;

/** A log of a machine that lost its power has a stretch of NULs; shorter texts than this have none. */
const NUL_TEXT_LENGTH = 24;

/**
 * Whether this may be text: with hardly any character that is for machines.
 * @param mayHaveNul for a file that is named as a text; a stretch of NULs counts as one
 */
export function hasFewControls(text: string, mayHaveNul = false): boolean {
  const stretches = text.match(/\0+/g)?.length ?? 0;
  if (stretches > 0 && !mayHaveNul) return false;
  if (stretches > 1 && stretches > text.length * CONTROLS_SHARE) return false;
  if (stretches > 0 && text.replaceAll('\0', '').length < NUL_TEXT_LENGTH) return false;
  let controls = 0;
  // oxlint-disable-next-line no-control-regex
  for (const _ of text.matchAll(/[\u0001-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f]/g)) controls++;
  return controls <= text.length * CONTROLS_SHARE;
}

export function latin1(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += 4096) text += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return text;
}

// Which program's file a compound file of old is, by the names of the streams in it.
async function typeOfOle(file: ByteSource, name: string): Promise<string> {
  const names = await namesIn(file);
  const named = ENDINGS[fileEnding(name)];
  if (names.includes(LOCKED)) return named ?? OLE;
  const stream = names.find((one) => one in STREAMS);
  if (stream !== undefined) return STREAMS[stream] ?? OLE;
  if (names.some((one) => MAIL.test(one))) return 'application/vnd.ms-outlook';
  return named ?? OLE;
}

/** [MS-CFB], 2.2 and 2.6: where the directory is, and its entries. */
async function namesIn(file: ByteSource): Promise<string[]> {
  const header = await file.read(0, 512);
  if (header.length < 512) return [];
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  const sector = view.getUint16(30, true) === 12 ? 4096 : 512;
  const at = (view.getUint32(48, true) + 1) * sector;
  if (at >= file.size) return [];
  const directory = await file.read(at, DIRECTORY_LENGTH);
  const decoder = new TextDecoder('utf-16le');
  const names: string[] = [];
  for (let entry = 0; entry + ENTRY_LENGTH <= directory.length; entry += ENTRY_LENGTH) {
    const length = (directory[entry + 64] ?? 0) - 2;
    if (length > 0 && length <= 62) names.push(decoder.decode(directory.subarray(entry, entry + length)));
  }
  return names;
}
