/**
 * Scenarios, independent of any protocol: a script is a refusal, a page, silence, or a stream of steps. Each
 * protocol turns the same scripts into its own bytes.
 */

import type { ToolsInRequest } from './tools/tools-in-request.ts';

export type FinishReason = 'stop' | 'length' | 'content_filter' | 'tool_calls';

/** A tool call whose arguments come in pieces. */
export type ToolCall = { index: number; id: string; name: string; pieces: string[] };

/**
 * Something that is sent. `raw` is sent as it is and adds no text; `odd` is an unusual but legal event of the protocol,
 * `broken` an unreadable one, `keep-alive` a sign of life without output. `signature` ends reasoning with something that the
 * provider wants back with the next calls.
 */
export type SentStep =
  | { type: 'text' | 'reasoning'; text: string }
  | { type: 'tool'; call: ToolCall }
  | { type: 'signature'; data: string }
  /** A PNG in base64. */
  | { type: 'picture'; data: string }
  | { type: 'raw'; bytes: string }
  | { type: 'odd' | 'broken' | 'keep-alive' };

/**
 * An ending after which nothing follows: an error event (gateways add the HTTP status they received), silence, a cut
 * socket, or a clean early end.
 */
export type Ending = { type: 'error'; message: string; status?: number } | { type: 'hang' | 'cut' | 'reset' | 'end' };

/** One thing a provider does while it answers. */
export type Step = SentStep | Ending | { type: 'wait'; ms: number };

/** `count` steps every `every` milliseconds; `every: 0` is as fast as the client reads. */
export type Pace = { every: number; count: number };

/**
 * How the events are written to the socket. `characters` cuts inside every multi-byte character, `bytes` everywhere.
 * `dressed` uses all that the event stream format allows: byte order mark, comments, ids, data over several lines.
 */
export type Framing = { lineEnd: '\n' | '\r\n' | '\r'; slices: 'whole' | 'characters' | 'bytes'; dressed: boolean };

/** `cached` is a part of the prompt, `reasoning` one of the completion. */
export type FixedUsage = { prompt: number; completion: number; cached?: number; reasoning?: number };

export type StreamScript = {
  kind: 'stream';
  steps: Iterable<Step>;
  pace: Pace;
  /** Milliseconds until the response's headers. */
  delay: number;
  /** null: the stream ends without a finish reason. */
  finish: FinishReason | null;
  /**
   * `asked`: when the request asks for it; `odd`: zero and null instead of numbers. Or fixed numbers, when asked for.
   */
  usage: 'asked' | 'always' | 'never' | 'odd' | FixedUsage;
  /** Whether the protocol's end mark is sent. */
  done: boolean;
  /** Whether the last chunk carries the whole text a second time. */
  repeatsText: boolean;
  framing: Framing;
  /** What follows the end mark. */
  after: (SentStep | Ending)[];
};

/** An error status; each protocol writes its own error body from this text. */
export type Refusal = {
  kind: 'refusal';
  status: number;
  type: string;
  code: string | null;
  message: string;
  headers: Record<string, string>;
};

/** A body outside the protocol: a gateway's HTML, or JSON where a stream was requested. */
export type Page = { kind: 'page'; status: number; contentType: string; body: string };

export type Script = StreamScript | Refusal | Page | { kind: 'silence' } | { kind: 'drop' };

/**
 * The input of a scenario. `attempt` counts from 0 for the same scenario and question; `body` is the request as it came.
 */
export type Ask = {
  question: string;
  arg: string | undefined;
  attempt: number;
  tools?: ToolsInRequest | undefined;
  body?: unknown;
};

export type Scenario = { about: string; script: (ask: Ask) => Script };

const ordinary: Omit<StreamScript, 'steps'> = {
  kind: 'stream',
  pace: { every: 4, count: 1 },
  delay: 0,
  finish: 'stop',
  usage: 'asked',
  done: true,
  repeatsText: false,
  framing: { lineEnd: '\n', slices: 'whole', dressed: false },
  after: [],
};

/** Default framing: `\n` line ends and whole writes; a scenario overrides what differs. */
export function framed(different: Partial<Framing>): Framing {
  return { ...ordinary.framing, ...different };
}

/** A normal stream, except where `different` overrides it. */
export function scriptedStream(steps: Iterable<Step>, different: Partial<StreamScript> = {}): StreamScript {
  return { ...ordinary, ...different, steps };
}

/** Splits text into deltas of about a word. */
export function textSteps(text: string): Step[] {
  return textPieces(text).map((piece) => ({ type: 'text', text: piece }));
}

/** A scenario's numeric argument, or its default. */
export function numberFrom(arg: string | undefined, otherwise: number): number {
  const number = Number.parseFloat(arg ?? '');
  return Number.isFinite(number) && number >= 0 ? number : otherwise;
}

/** Cuts a text into token-like pieces of at most five characters, never inside a surrogate pair. */
export function textPieces(text: string): string[] {
  return text.match(/\s?\S{1,5}|\s/gu) ?? [];
}

// Steps after which an endless scenario's text is cut: at 20 ms a step, more than half an hour.
const STEPS_WRITTEN_DOWN = 100_000;

/** The text of a script up to its end or its break. */
export function textOfScript(script: Script): string {
  if (script.kind !== 'stream') return '';
  const pieces: string[] = [];
  let steps = 0;
  for (const step of script.steps) {
    if (isEnding(step) || ++steps > STEPS_WRITTEN_DOWN) break;
    if (step.type === 'text') pieces.push(step.text);
  }
  return pieces.join('');
}

/** Whether this step ends the stream. */
export function isEnding(step: Step): step is Ending {
  return ['error', 'hang', 'cut', 'reset', 'end'].includes(step.type);
}
