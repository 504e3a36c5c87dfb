// What the frame of a running artifact tells the page; see `public/artifact/frame.js`. Its words come from the program.
import { asFields } from '@parley/schema/json';

export type FrameNews =
  | { state: 'running' }
  | { state: 'failed'; message: string; line: number }
  /** It wanted to load this address, or to reach one that is not known. */
  | { state: 'blocked'; address: string }
  /** It imports what is not there. */
  | { state: 'unknown'; name: string }
  /** A link was pressed. */
  | { state: 'link'; address: string }
  /** F6 was pressed. */
  | { state: 'left' };

/** What the frame says of itself. */
export type FrameSigns =
  /** It has loaded, and nothing foreign has run; whether this browser keeps it from the network. */
  | { state: 'ready'; isSealed: boolean }
  /** The answer to a ping. */
  | { state: 'here'; ping: number }
  /** A pointer was pressed in it. */
  | { state: 'pressed' }
  /** It has got the focus, for the time of this number. */
  | { state: 'focused'; entry: number }
  /** The program has added entries to the history of the tab. */
  | { state: 'moved'; entries: number };

const TEXT_MAX = 2_000;
/** Characters of an error that are shown. */
const WORDS_MAX = 300;

export function readNews(data: unknown): FrameNews | FrameSigns | null {
  const { state, message, line, address, name, ping, entries, entry, isSealed } = asFields(data);
  switch (state) {
    case 'running':
    case 'left':
    case 'pressed':
      return { state };
    case 'moved':
      return Number.isSafeInteger(entries) ? { state, entries: Math.max(1, Number(entries)) } : null;
    case 'focused':
      return Number.isSafeInteger(entry) ? { state, entry: Number(entry) } : null;
    case 'ready':
      return { state, isSealed: isSealed === true };
    case 'here':
      return Number.isSafeInteger(ping) ? { state, ping: Number(ping) } : null;
    case 'failed':
      return isText(message)
        ? { state, message: wordsOf(message), line: Number.isSafeInteger(line) ? Number(line) : 0 }
        : null;
    case 'blocked':
      if (!isText(address)) return null;
      return { state, address: isWebAddress(address) ? address : '' };
    case 'link':
      return isText(address) && isWebAddress(address) ? { state, address } : null;
    case 'unknown':
      return isText(name) && IS_MODULE.test(name) ? { state, name } : null;
    default:
      return null;
  }
}

/** As names of packages and of files in them are written. */
const IS_MODULE = /^[\w@.~/-]{1,100}$/;

/** In one line, and without what turns the direction of the words around them. */
function wordsOf(message: string): string {
  const line = message.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
  return line.length > WORDS_MAX ? `${line.slice(0, WORDS_MAX)}…` : line;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= TEXT_MAX;
}

function isWebAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}
