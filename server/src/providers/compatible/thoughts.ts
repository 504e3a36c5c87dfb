// Reasoning that a server leaves inside the text of an answer, between tags: it becomes reasoning, wherever the tags are
// cut between the pieces.
import type { Delta } from '../../generation/delta.ts';
import { createCodeLines, type CodeLines } from './code-lines.ts';
import { mayBecomeTag, TAG_START, tagAt, type Tag } from './thought-tags.ts';

type Spoken = Extract<Delta, { type: 'text' | 'reasoning' | 'rewrite' }>;

export interface ThoughtReader {
  /** More text of the answer. Holds back no more than what may be a tag. */
  read(text: string): Spoken[];
  /** What is still held back: the text ends here, or something else of the answer begins. */
  flush(): Spoken[];
  /** The server sends reasoning in a field of its own. */
  noteReasoning(): void;
}

/** What comes next of a text: so much of it is decided, or more of it is needed. */
type Decision = 'text' | 'tag' | 'wait';

/** Where the reading of one answer stands. */
interface Reading {
  readonly code: CodeLines;
  readonly speaker: Speaker;
  mode: 'text' | 'tagged' | 'harmony';
  /** What is not decided yet, and behind it pieces in which no held thought can end. */
  pending: string;
  held: string[];
  /** How far a held thought was searched for its end. */
  searched: number;
  isHarmony: boolean;
  hasThought: boolean;
  /** How many tags opened inside the last thought that were not closed. */
  nested: number;
}

export function createThoughtReader(): ThoughtReader {
  const reading: Reading = {
    code: createCodeLines(),
    speaker: createSpeaker(),
    mode: 'text',
    pending: '',
    held: [],
    searched: 0,
    isHarmony: false,
    hasThought: false,
    nested: 0,
  };
  return {
    read(text) {
      reading.held.push(text);
      // Joined with all before it, each piece of a long thought would cost as much as the whole.
      if (reading.searched === 0 || END_OF_MARK.test(text)) consume(reading, false);
      return reading.speaker.take();
    },
    flush() {
      consume(reading, true);
      if (reading.mode !== 'text') endThought(reading);
      reading.speaker.end();
      reading.code.reset();
      return reading.speaker.take();
    },
    noteReasoning: () => void (reading.hasThought = true),
  };
}

/** What a mark that ends a thought ends with. */
const END_OF_MARK = /[>_]/;

function consume(reading: Reading, isEnd: boolean): void {
  reading.pending += reading.held.join('');
  reading.held = [];
  let from = 0;
  while (reading.pending !== '') {
    TAG_START.lastIndex = from;
    const at = TAG_START.exec(reading.pending)?.index;
    if (at === undefined) return pass(reading, reading.pending.length);
    const tag = tagAt(reading.pending, at);
    if (!tag) {
      from = at + 1;
      if (isEnd || !mayBecomeTag(reading.pending, at)) continue;
      return pass(reading, at);
    }
    pass(reading, at);
    from = 0;
    const decision = decide(reading, tag, isEnd);
    if (decision === 'wait') return;
    reading.searched = 0;
    if (decision === 'text') pass(reading, tag.length);
    else {
      reading.pending = reading.pending.slice(tag.length);
      apply(reading, tag);
    }
  }
}

/** Tells so much of what is pending as what it is in. */
function pass(reading: Reading, length: number): void {
  if (length === 0) return;
  const text = reading.pending.slice(0, length);
  reading.pending = reading.pending.slice(length);
  reading.code.add(text);
  if (reading.mode === 'text') reading.speaker.say(text);
  else reading.speaker.think(text);
}

/** Whether the tag at the start of what is pending is one. */
function decide(reading: Reading, tag: Tag, isEnd: boolean): Decision {
  const { mode, code, pending, isHarmony, hasThought } = reading;
  const rest = pending.slice(tag.length);
  if (mode === 'harmony') return tag.kind === 'header' || tag.kind === 'end' ? 'tag' : 'text';
  if (mode === 'text' && code.isFenced()) return 'text';
  const isQuoted = code.isInSpan(rest, isEnd);
  if (isQuoted !== false) return isQuoted ? 'text' : 'wait';
  if (mode === 'tagged') return tag.kind === 'close' ? 'tag' : 'text';
  switch (tag.kind) {
    case 'header':
      return 'tag';
    case 'end':
      return isHarmony ? 'tag' : 'text';
    case 'mark':
      return hasThought ? 'tag' : 'text';
    case 'close':
      return decideClosing(reading, rest, isEnd);
    default:
      return decideOpening(reading, rest, isEnd);
  }
}

/** Within a line it may be a word of the answer: then it counts only with its end. */
function decideOpening(reading: Reading, rest: string, isEnd: boolean): Decision {
  const { code, speaker, searched } = reading;
  if (code.head().trim() === '' || speaker.isSilent()) return 'tag';
  const spoken = isSpokenOf(code.end(), rest, isEnd);
  if (spoken !== false) return spoken ? 'text' : 'wait';
  for (let at = Math.max(0, searched - TAG_MAX); (at = rest.indexOf('/', at)) >= 0; at += 1)
    if (tagAt(rest, at - 1)?.kind === 'close') return 'tag';
  if (/<\|end_|<channel\|>/i.test(rest.slice(Math.max(0, searched - TAG_MAX)))) return 'tag';
  reading.searched = rest.length;
  return isEnd ? 'text' : 'wait';
}

/** Without an opening tag: what the answer has said so far was reasoning, unless there was some before. */
function decideClosing({ code, speaker, hasThought, nested }: Reading, rest: string, isEnd: boolean): Decision {
  if (speaker.isSilent()) return 'tag';
  if (hasThought && nested === 0) return 'text';
  const spoken = isSpokenOf(code.end(), rest, isEnd);
  if (spoken === null) return 'wait';
  return spoken ? 'text' : 'tag';
}

function apply(reading: Reading, tag: Tag): void {
  if (tag.kind === 'mark') return;
  const { code, speaker, mode } = reading;
  if (mode === 'text' && tag.kind === 'close') {
    if (!speaker.isSilent()) reading.nested = Math.max(0, reading.nested - 1);
    speaker.takeBack();
    reading.hasThought = true;
  } else if (mode !== 'text') endThought(reading);
  code.reset();
  if (tag.kind === 'header') reading.isHarmony = true;
  if (tag.kind === 'open') reading.mode = 'tagged';
  else if (tag.kind === 'header' && tag.isThought) reading.mode = 'harmony';
}

function endThought(reading: Reading): void {
  const thought = reading.speaker.endThought();
  if (reading.mode === 'tagged') reading.nested = openedIn(thought);
  reading.hasThought = true;
  reading.mode = 'text';
}

/** The longest tag that closes, in characters. */
const TAG_MAX = 24;

function openedIn(thought: string): number {
  let count = 0;
  for (const { index } of thought.matchAll(/</g)) if (tagAt(thought, index)?.kind === 'open') count += 1;
  return count;
}

/** So much white space behind a tag tells nothing, in characters. */
const WAIT_MAX = 200;

/**
 * Whether a tag is spoken of, as in `the <think> tag` or `"<think>"`; null where more of the text is needed to tell.
 */
function isSpokenOf(before: string, rest: string, isEnd: boolean): boolean | null {
  const next = /\S|\n/.exec(rest.slice(0, WAIT_MAX));
  if (rest === '' && !isEnd) return null;
  const quote = QUOTES[before.at(-1) ?? ''];
  if (quote !== undefined && rest.startsWith(quote)) return true;
  if (!/[\p{L},]\s+$/u.test(before)) return false;
  if (rest !== '' && !/^\s/.test(rest)) return /^[,.;:]/.test(rest);
  if (!next) return isEnd || rest.length >= WAIT_MAX ? false : null;
  return next[0] !== '\n' && /\p{Ll}/u.test(next[0]);
}

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '«': '»',
  '(': ')',
  '`': '`',
};

type Speaker = ReturnType<typeof createSpeaker>;

/** Tells text and reasoning without the white space around reasoning. */
function createSpeaker() {
  let told: Spoken[] = [];
  /** The text since the last reasoning, and the reasoning since the last text. */
  let said = '';
  let thought = '';
  /** White space that waits for more: before the first text, or after reasoning. */
  let lead: string[] = [];
  let trail: string[] = [];
  let isAfterThought = false;

  return { say, think, endThought, takeBack, end, take, isSilent: () => said === '' };

  function say(text: string): void {
    if (said === '' && text.trim() === '') return void lead.push(text);
    const more = lead.join('') + text;
    lead = [];
    const words = said === '' && isAfterThought ? more.trimStart() : more;
    said += words;
    tell('text', words);
  }

  function think(text: string): void {
    if (text.trim() === '') {
      if (thought !== '') trail.push(text);
      return;
    }
    const more = trail.join('') + text;
    const words = more.trimEnd();
    trail = [more.slice(words.length)];
    const spoken = thought === '' ? words.trimStart() : words;
    thought += spoken;
    tell('reasoning', spoken);
  }

  function endThought(): string {
    const whole = thought;
    if (whole !== '') {
      said = '';
      isAfterThought = true;
    }
    // Empty reasoning at the start leaves white space behind.
    if (said === '') isAfterThought = true;
    [thought, trail, lead] = ['', [], []];
    return whole;
  }

  function takeBack(): void {
    const words = said.trim();
    if (words !== '') told.push({ type: 'rewrite', text: '' }, { type: 'reasoning', text: words });
    [said, lead, isAfterThought] = ['', [], true];
  }

  function end(): void {
    if (lead.length > 0 && !isAfterThought) tell('text', lead.join(''));
    [said, lead, isAfterThought] = ['', [], false];
  }

  function tell(type: 'text' | 'reasoning', text: string): void {
    told.push({ type, text });
  }

  function take(): Spoken[] {
    const all = told;
    told = [];
    return all;
  }
}
