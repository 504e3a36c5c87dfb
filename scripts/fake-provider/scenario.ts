/**
 * What a scenario is, in words that know no wire: a play is either a refusal, a page, silence, or a speech of steps.
 * Each wire (one file) turns the same plays into its own bytes.
 */

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** A tool call whose arguments come in pieces. */
export type ToolCall = { index: number; id: string; name: string; pieces: string[] };

/**
 * Something on the wire. `raw` goes out as it is and says nothing; `odd` is the wire's own legal strangeness, `broken` an
 * event of its that cannot be read.
 */
export type Telling =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool'; call: ToolCall }
  | { type: 'raw'; bytes: string }
  | { type: 'odd' | 'broken' };

/**
 * A break in the stream after which nothing comes: an error event, which gateways give the status they were answered
 * with, silence, a cut socket, a clean early end.
 */
export type Ending = { type: 'error'; message: string; status?: number } | { type: 'hang' | 'cut' | 'reset' | 'end' };

/** One thing a provider does while it answers. */
export type Step = Telling | Ending | { type: 'wait'; ms: number };

/** `count` steps every `every` milliseconds; `every: 0` is as fast as the reader takes them. */
export type Pace = { every: number; count: number };

/**
 * How the events are laid on the socket. `characters` cuts inside every multi-byte character, `bytes` everywhere.
 * `dressed` uses all that the event stream format allows: byte order mark, comments, ids, data over several lines.
 */
export type Framing = { lineEnd: '\n' | '\r\n' | '\r'; slices: 'whole' | 'characters' | 'bytes'; dressed: boolean };

export type Speech = {
  kind: 'speech';
  steps: Iterable<Step>;
  pace: Pace;
  /** Milliseconds until the response's headers. */
  delay: number;
  /** null: the stream ends without a finish reason. */
  finish: FinishReason | null;
  /** `asked`: when the request asks for it; `odd`: zero and null in place of numbers. Or these numbers, when asked for. */
  usage: 'asked' | 'always' | 'never' | 'odd' | { prompt: number; completion: number };
  /** Whether the wire's end mark is sent. */
  done: boolean;
  /** Whether the last chunk carries the whole text a second time. */
  repeatsText: boolean;
  framing: Framing;
  /** What still happens after the end mark. */
  after: (Telling | Ending)[];
};

/** An error status; the wire writes its own error body from these words. */
export type Refusal = {
  kind: 'refusal';
  status: number;
  type: string;
  code: string | null;
  message: string;
  headers: Record<string, string>;
};

/** A body that is not the wire's at all: a gateway's HTML, or JSON where a stream was asked. */
export type Page = { kind: 'page'; status: number; contentType: string; body: string };

export type Play = Speech | Refusal | Page | { kind: 'silence' } | { kind: 'drop' };

/** What a scenario may look at. `attempt` counts from 0 for the same scenario and question. */
export type Ask = { question: string; arg: string | undefined; attempt: number };

export type Scenario = { about: string; play: (ask: Ask) => Play };

const ordinary: Omit<Speech, 'steps'> = {
  kind: 'speech',
  pace: { every: 4, count: 1 },
  delay: 0,
  finish: 'stop',
  usage: 'asked',
  done: true,
  repeatsText: false,
  framing: { lineEnd: '\n', slices: 'whole', dressed: false },
  after: [],
};

/** Events with one `\n` each, in whole writes; a scenario says what it does otherwise. */
export function framed(different: Partial<Framing>): Framing {
  return { ...ordinary.framing, ...different };
}

/** A speech that goes as a good provider's does, except where `different` says so. */
export function speech(steps: Iterable<Step>, different: Partial<Speech> = {}): Speech {
  return { ...ordinary, ...different, steps };
}

/** Text as the deltas of a provider: pieces of a word's length, joined they are the text again. */
export function say(text: string): Step[] {
  return piecesOf(text).map((piece) => ({ type: 'text', text: piece }));
}

/** The number a scenario was given, or its own. */
export function numberFrom(arg: string | undefined, otherwise: number): number {
  const number = Number.parseFloat(arg ?? '');
  return Number.isFinite(number) && number >= 0 ? number : otherwise;
}

/** Cuts a text into token-like pieces of at most five characters, never inside a surrogate pair. */
export function piecesOf(text: string): string[] {
  return text.match(/\s?\S{1,5}|\s/gu) ?? [];
}

// An endless scenario has to be cut somewhere to be written down: at 20 ms a step this is more than half an hour.
const STEPS_WRITTEN_DOWN = 100_000;

/** The text a play says when it is heard to its end, or to the step that breaks it off. */
export function textOfPlay(play: Play): string {
  if (play.kind !== 'speech') return '';
  const pieces: string[] = [];
  let steps = 0;
  for (const step of play.steps) {
    if (isEnding(step) || ++steps > STEPS_WRITTEN_DOWN) break;
    if (step.type === 'text') pieces.push(step.text);
  }
  return pieces.join('');
}

/** Whether nothing more is said after this step. */
export function isEnding(step: Step): step is Ending {
  return ['error', 'hang', 'cut', 'reset', 'end'].includes(step.type);
}
