// Which encoding a text has that is neither UTF-8 nor marked. Of those that fit all bytes the first counts: a library
// ranks them by the letters of a long text, and a short one is ranked by its words.
import { decodeBytes } from './decode-bytes.ts';
import { rankEncodings } from './score-encodings.ts';

export interface Guess {
  /** As `TextDecoder` calls it. */
  encoding: string;
  /** False where others are about as likely: anyone who reads the text is told. */
  isSure: boolean;
}

/** What is looked at. */
const SAMPLE_BYTES = 64 * 1024;

/** The library's confidence, in percent: enough by itself, and enough where the next one has at most half of it. */
const SURE_PERCENT = 40;
const LIKELY_PERCENT = 20;

/** Of a text with fewer bytes beside ASCII, statistics say little: which words they make decides. */
const SHORT_BYTES = 100;
/** Fewer bytes are never more than a guess. */
const SURE_LENGTH = 40;

/** Where nothing fits: it knows every byte. */
const FALLBACK: Guess = { encoding: 'windows-1252', isSure: false };

/** @param pieces reads the bytes anew at each call */
export async function guessEncoding(pieces: () => AsyncIterable<Uint8Array>): Promise<Guess> {
  if (await isNearlyUtf8(pieces())) return { encoding: 'utf-8', isSure: false };
  const sample = await sampleOf(pieces());
  const likely = await likelyByStatistics(sample, pieces);
  const isShort = sample.reduce((count, byte) => count + (byte < 0x80 ? 0 : 1), 0) < SHORT_BYTES;
  if (likely && !isShort) return likely;
  for (const encoding of rankEncodings(sample)) {
    if (!(await isTextIn(encoding, pieces()))) continue;
    const isSure = sample.length >= SURE_LENGTH && likely?.isSure === true;
    return { encoding, isSure: isSure && isSameText(sample, encoding, likely.encoding) };
  }
  return likely ?? FALLBACK;
}

/** What the library suggests, as far as it fits all bytes; null where it has hardly any confidence. */
async function likelyByStatistics(sample: Uint8Array, pieces: () => AsyncIterable<Uint8Array>): Promise<Guess | null> {
  // Bundled, the library has only its default export.
  const { default: chardet } = await import('chardet');
  const ranked = chardet
    .analyse(sample)
    .map(({ name, confidence }) => ({ encoding: decoderFor(name), confidence }))
    .filter((one): one is { encoding: string; confidence: number } => one.encoding !== null);
  if ((ranked[0]?.confidence ?? 0) < LIKELY_PERCENT) return null;
  for (const [at, { encoding, confidence }] of ranked.entries()) {
    if (!(await isTextIn(encoding, pieces()))) continue;
    const next = ranked.slice(at + 1).find((one) => one.encoding !== encoding)?.confidence ?? 0;
    return { encoding, isSure: confidence >= SURE_PERCENT || (confidence >= LIKELY_PERCENT && confidence >= 2 * next) };
  }
  return null;
}

function isSameText(sample: Uint8Array, one: string, other: string): boolean {
  return one === other || decodeBytes(sample, one) === decodeBytes(sample, other);
}

/** UTF-16 and UTF-32 without a mark are not guessed: their bytes are no text of other encodings. */
function decoderFor(name: string): string | null {
  try {
    const { encoding } = new TextDecoder(name);
    return encoding.startsWith('utf-') ? null : encoding;
  } catch {
    return null;
  }
}

const LINE_END = 0x0a;

/** Whole lines, so that no character is cut, of those that have letters beside ASCII. */
async function sampleOf(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const lines: Uint8Array[] = [];
  let length = 0;
  let rest: Uint8Array = new Uint8Array();
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, piece]);
    const end = bytes.lastIndexOf(LINE_END) + 1;
    for (let from = 0; from < end && length < SAMPLE_BYTES;) {
      const to = bytes.indexOf(LINE_END, from) + 1;
      add(bytes.subarray(from, to));
      from = to;
    }
    rest = Uint8Array.from(bytes.subarray(end));
    if (length >= SAMPLE_BYTES) return Buffer.concat(lines);
    if (rest.length < SAMPLE_BYTES) continue;
    // A line without an end is taken as it stands.
    add(rest);
    rest = new Uint8Array();
  }
  add(rest);
  return Buffer.concat(lines);

  function add(line: Uint8Array): void {
    if (!line.some((byte) => byte >= 0x80)) return;
    lines.push(Uint8Array.from(line.subarray(0, SAMPLE_BYTES)));
    length += line.length;
  }
}

/** More characters of several bytes for each byte that is none of UTF-8: text that was cut or joined wrongly. */
const UTF8_SHARE = 10;

/** Whether this is UTF-8 but for a few bytes, as where programs of two encodings write one log. */
async function isNearlyUtf8(pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder('utf-8');
  let [faults, characters] = [0, 0];
  for await (const piece of pieces) {
    for (const [character] of decoder.decode(piece, { stream: true }).matchAll(/[^\p{ASCII}]/gu)) {
      if (character === '\ufffd') faults++;
      else characters++;
    }
  }
  return characters >= UTF8_SHARE * (faults + (decoder.decode() === '' ? 0 : 1)) && characters > 0;
}

/** What no text has: an older encoding that is the wrong one shows them soon. */
const C1 = /[\u0080-\u009f]/;

/** Whether all bytes are text of this encoding. */
export async function isTextIn(encoding: string, pieces: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const isOlder = !encoding.startsWith('utf-');
  const isText = (text: string) => !(isOlder && C1.test(text));
  try {
    for await (const piece of pieces) if (!isText(decoder.decode(piece, { stream: true }))) return false;
    return isText(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
