// What a server leaves inside the text of an answer: reasoning between tags, and pictures as Markdown.
import type { Delta } from '../../generation/delta.ts';
import type { PictureReader } from './answer-pictures.ts';
import { createThoughtReader } from './thoughts.ts';
import { createCodeLines } from './code-lines.ts';

/** A picture of some 24 MB, in characters. A longer one remains text. */
const DATA_MAX = 32 * 1024 * 1024;

const HEAD = /!\[[^\]\n]{0,200}\]\((data:image\/[a-z\d.+-]{1,40}(?:;[a-z\d=.+-]{1,40}){0,3};base64,)/iy;

/** A head that is cut before its address, or within. */
const CUT_HEAD = /^!(?:$|\[[^\]\n]{0,200}(?:$|\](?:$|\(([^\s(),]{0,180})$)))/;

/** Within so many characters the address of a picture begins. */
const LABEL_END = 204;

const SCHEME = 'data:image/';

const NO_DATA = /[^A-Za-z\d+/_-]/;

/** The padding, perhaps a title, and the bracket. */
const TAIL = /^(={0,2})(?:[ \t]{1,4}"[^"\n]{0,200}")?\)/;

const CUT_TAIL = /^={0,2}(?:$|[ \t]{1,4}(?:$|"[^"\n]{0,200}"?$))/;

/** Shorter ones are examples. */
const DATA_MIN = 64;

export interface AnswerReader {
  /** One piece of the answer, and before it what its text held back. */
  read(piece: Delta): Delta[];
  /** What is still held back at the end. */
  flush(): Delta[];
}

const ENDS_TEXT = new Set<Delta['type']>(['tool', 'reasoning', 'made', 'picture', 'finish']);

/**
 * @param given `hasThoughts`: reasoning may stand in the text; that without its opening tag replaces the text before.
 * `pictures`: reads those in the text; null where they remain text
 */
export function createAnswerReader(given: { hasThoughts: boolean; pictures: PictureReader | null }): AnswerReader {
  const thoughts = given.hasThoughts ? createThoughtReader() : null;
  const pictures = given.pictures && createWrittenPictures(given.pictures);

  function read(piece: Delta): Delta[] {
    if (piece.type === 'text') return withPictures(thoughts ? thoughts.read(piece.text) : [piece]);
    const held = ENDS_TEXT.has(piece.type) ? flush() : [];
    if (piece.type === 'reasoning') thoughts?.noteReasoning();
    return [...held, piece];
  }

  function flush(): Delta[] {
    return [...withPictures(thoughts?.flush() ?? []), ...(pictures?.flush() ?? [])];
  }

  function withPictures(spoken: Delta[]): Delta[] {
    return pictures ? spoken.flatMap((piece) => pictureIn(piece, pictures)) : spoken;
  }

  return { read, flush };
}

function pictureIn(piece: Delta, pictures: NonNullable<ReturnType<typeof createWrittenPictures>>): Delta[] {
  if (piece.type === 'text') return pictures.read(piece.text);
  if (piece.type !== 'rewrite') return [...pictures.flush(), piece];
  pictures.drop();
  return [piece];
}

// Pictures that a server writes into the text of an answer as Markdown, `![…](data:image/png;base64,…)`: they become
// pictures, wherever they are cut between the pieces. What stands in code remains text.
interface WrittenPictures {
  /** More text of the answer. Holds back no more than what may be a picture. */
  read(text: string): Delta[];
  /** What is still held back: the text ends here, or something else of the answer begins. */
  flush(): Delta[];
  /** Something else replaces the text. */
  drop(): void;
}

/** A picture whose end has not come yet. */
interface Open {
  head: string;
  address: string;
  data: string[];
  length: number;
}

function createWrittenPictures(pictures: PictureReader): WrittenPictures {
  const code = createCodeLines();
  const teller = createTeller();
  let pending = '';
  let open: Open | null = null;

  return {
    read(text) {
      pending += text;
      consume(false);
      return teller.take();
    },
    flush() {
      consume(true);
      teller.end();
      code.reset();
      return teller.take();
    },
    drop() {
      pending = '';
      open = null;
      teller.drop();
      code.reset();
    },
  };

  function consume(isEnd: boolean): void {
    while (open || pending !== '') if (!(open ? readData(open, isEnd) : readText(isEnd))) return;
  }

  /** False where more of the text is needed. */
  function readText(isEnd: boolean): boolean {
    const at = pending.indexOf('!');
    say(at < 0 ? pending.length : at);
    if (pending === '') return true;
    const [head, address = ''] = readHead(pending) ?? [];
    if (code.isFenced()) say(head?.length ?? 1);
    else if (head !== undefined) {
      open = { head, address, data: [], length: 0 };
      pending = pending.slice(head.length);
    } else if (!isEnd && mayBecomeHead(pending)) return false;
    else say(1);
    return true;
  }

  /** False where more of the text is needed. */
  function readData(picture: Open, isEnd: boolean): boolean {
    const end = NO_DATA.exec(pending)?.index ?? pending.length;
    picture.data.push(pending.slice(0, end));
    picture.length += end;
    pending = pending.slice(end);
    const [tail, padding = ''] = TAIL.exec(pending) ?? [];
    const isTooLong = picture.length > DATA_MAX;
    if (tail === undefined && !isEnd && !isTooLong && CUT_TAIL.test(pending)) return false;
    const rest = pending.slice(tail?.length);
    const isCode = tail === undefined ? false : code.isInSpan(rest, isEnd);
    if (isCode === null) return false;
    open = null;
    const data = picture.data.join('');
    if (tail === undefined || isCode || isTooLong || data.length < DATA_MIN) {
      pending = picture.head + data + pending;
      say(picture.head.length + data.length + (tail?.length ?? 0));
      return true;
    }
    pending = rest;
    teller.show([...pictures.read(picture.address + data + padding)]);
    code.reset();
    return true;
  }

  /** Tells so much of what is pending as text. */
  function say(length: number): void {
    const text = pending.slice(0, length);
    pending = pending.slice(length);
    code.add(text);
    teller.say(text);
  }
}

/** Tells text and pictures without the white space around pictures. */
function createTeller() {
  let told: Delta[] = [];
  /** White space that waits for more: before the first text, or after a picture. */
  let blank: string[] = [];
  let hasWords = false;
  let isAfterPicture = false;

  return { say, show, end, drop: () => begin(false), take };

  function say(text: string): void {
    if (hasWords) return tell(text);
    blank.push(text);
    if (text.trim() === '') return;
    tell(blank.join(''));
    [blank, hasWords] = [[], true];
  }

  function show(pieces: readonly Delta[]): void {
    told.push(...pieces);
    begin(true);
  }

  function end(): void {
    if (!isAfterPicture) tell(blank.join(''));
    begin(false);
  }

  function begin(isPictureBefore: boolean): void {
    [blank, hasWords, isAfterPicture] = [[], false, isPictureBefore];
  }

  function tell(text: string): void {
    const last = told.at(-1);
    if (text === '') return;
    if (last?.type === 'text') last.text += text;
    else told.push({ type: 'text', text });
  }

  function take(): Delta[] {
    const all = told;
    told = [];
    return all;
  }
}

function readHead(text: string): RegExpExecArray | null {
  HEAD.lastIndex = 0;
  return hasLabel(text) ? HEAD.exec(text) : null;
}

/** False for what is too long to be one, which is most of what a text has behind a mark. */
function hasLabel(text: string): boolean {
  return text.length <= LABEL_END || text.slice(0, LABEL_END).includes('](');
}

function mayBecomeHead(text: string): boolean {
  const cut = hasLabel(text) ? CUT_HEAD.exec(text) : null;
  if (!cut) return false;
  const address = (cut[1] ?? '').toLowerCase();
  return SCHEME.startsWith(address.slice(0, SCHEME.length));
}
