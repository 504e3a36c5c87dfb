/** Plays a script at its pace and writes it to a connection in a protocol's frames. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from './connection.ts';
import { now } from './record.ts';
import {
  isEnding,
  type Ending,
  type FinishReason,
  type Framing,
  type Pace,
  type StreamScript,
  type SentStep,
  type ToolCall,
} from './scenario.ts';

/** The output so far, from which a protocol writes usage and repeats. */
export type SentContent = { text: string; reasoning: string; deltas: number; tools: ToolCall[] };

/** A protocol's streaming frames, with `\n` line ends; an empty string writes nothing. */
export type Frames = {
  headers: Record<string, string>;
  open(): string;
  text(text: string): string;
  reasoning(text: string): string;
  tool(call: ToolCall): string;
  /** Absent where the protocol signs nothing. */
  signature?(data: string): string;
  /** Absent where answers have no pictures. */
  picture?(data: string): string;
  edgeCase(): string;
  broken(): string;
  /** Absent where it is that of server-sent events. */
  keepAlive?(): string;
  error(message: string, status?: number): string;
  close(finish: FinishReason | null, said: SentContent): string;
};

/** Of no meaning in all protocols of server-sent events. */
const PING = ': keep-alive\n\nevent: ping\ndata: {"type": "ping"}\n\n';

// Characters that one write may collect when a late timer catches up.
const BATCH_CHARS = 32_768;

/** Resolves when the stream has ended, was cut, or the client has disconnected. */
export async function streamScript(script: StreamScript, frames: Frames, line: Connection): Promise<void> {
  if (script.delay > 0) await line.pause(script.delay);
  const said = noContent();
  const write = createWriter(line, script.framing);
  const pace = createBeat(script.pace);
  line.head(200, frames.headers);
  let batch = frames.open();

  async function keepTime(): Promise<void> {
    if (batch.length <= BATCH_CHARS && pace.early() <= 0) return;
    await write(batch);
    batch = '';
    await (pace.early() > 0 ? line.pause(pace.early()) : nextTurn());
  }

  async function leaveAfter(ending: Ending): Promise<void> {
    await write(ending.type === 'error' ? batch + frames.error(ending.message, ending.status) : batch);
    await leave(ending, line);
  }

  for (const step of script.steps) {
    await keepTime();
    if (!line.open) return;
    if (step.type === 'wait') pace.delay(step.ms);
    else if (isEnding(step)) return leaveAfter(step);
    else {
      batch += frameOf(step, frames);
      addContent(step, said, line);
      pace.tick();
    }
  }

  await keepTime();
  batch += frames.close(script.finish, said);
  for (const step of script.after) {
    if (isEnding(step)) return leaveAfter(step);
    batch += frameOf(step, frames);
  }
  await write(batch);
  line.end();
}

/**
 * Collects a script without streaming it; undefined when it breaks off, which then has also happened on the connection.
 */
export async function collect(script: StreamScript, line: Connection): Promise<SentContent | undefined> {
  if (script.delay > 0) await line.pause(script.delay);
  const said = noContent();
  for (const step of script.steps) {
    if (said.deltas > ENDLESS_DELTAS) return void (await line.hang());
    if (step.type === 'wait') await line.pause(step.ms);
    else if (isEnding(step)) return void (await leave(step, line));
    else addContent(step, said, line);
  }
  return said;
}

// A longer script is endless: a non-streaming request for it never completes.
const ENDLESS_DELTAS = 100_000;

/** The initial state of every answer. */
export function noContent(): SentContent {
  return { text: '', reasoning: '', deltas: 0, tools: [] };
}

async function leave(ending: Ending, line: Connection): Promise<void> {
  if (ending.type === 'hang') return line.hang();
  if (ending.type === 'cut' || ending.type === 'reset') return line.cut(ending.type);
  line.end();
}

function frameOf(step: SentStep, frames: Frames): string {
  switch (step.type) {
    case 'text':
      return frames.text(step.text);
    case 'reasoning':
      return frames.reasoning(step.text);
    case 'tool':
      return frames.tool(step.call);
    case 'signature':
      return frames.signature?.(step.data) ?? '';
    case 'picture':
      return frames.picture?.(step.data) ?? '';
    case 'raw':
      return step.bytes;
    case 'odd':
      return frames.edgeCase();
    case 'broken':
      return frames.broken();
    case 'keep-alive':
      return frames.keepAlive?.() ?? PING;
    default:
      return step satisfies never;
  }
}

function addContent(step: SentStep, said: SentContent, line: Connection): void {
  if (step.type === 'tool') said.tools.push(step.call);
  if (step.type !== 'text' && step.type !== 'reasoning') return;
  said[step.type] += step.text;
  said.deltas++;
  if (step.type === 'text') line.record.said += step.text.length;
  line.record.firstTextAt ??= now();
}

/** Computes the wait before the next step. A late timer is made up for, so that the stream keeps its pace. */
function createBeat({ every, count }: Pace) {
  let due = performance.now();
  let steps = 0;
  return {
    tick: () => {
      if (++steps % count === 0) due += every;
    },
    delay: (ms: number) => {
      due = Math.max(due, performance.now()) + ms;
    },
    early: () => due - performance.now(),
  };
}

type Writer = (text: string) => Promise<void>;

function createWriter(line: Connection, framing: Framing): Writer {
  const laidOut = createSseFormat(framing);
  const { slices } = framing;
  if (slices === 'whole') return (text) => (text === '' ? Promise.resolve() : line.write(laidOut(text)));
  return async (text) => {
    for (const slice of sliced(Buffer.from(laidOut(text)), slices)) {
      if (!line.open) return;
      await line.write(slice);
      // Writes in one event loop turn leave together; a turn in between makes each its own packet.
      await nextTurn();
    }
  };
}

function* sliced(bytes: Buffer, slices: 'characters' | 'bytes'): Iterable<Buffer> {
  let start = 0;
  for (let at = 1; at <= bytes.length; at++) {
    const cutHere = at === bytes.length || slices === 'bytes' || isContinuation(bytes[at]);
    if (!cutHere) continue;
    yield bytes.subarray(start, at);
    start = at;
  }
}

// In UTF-8 every byte but a character's first is 10xxxxxx.
function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}

/** Returns a function for one stream; its input is whole events with `\n` line ends. */
function createSseFormat({ lineEnd, dressed }: Framing): (events: string) => string {
  const dress = dressed ? createDressing() : (events: string) => events;
  return lineEnd === '\n' ? dress : (events) => dress(events).replaceAll('\n', lineEnd);
}

function createDressing(): (events: string) => string {
  let count = 0;
  return (events) =>
    events
      .split('\n\n')
      .filter((event) => event !== '')
      .map((event) => dressedEvent(event, count++))
      .join('');
}

function dressedEvent(event: string, count: number): string {
  if (count === 0) return `\uFEFF: welcome\n\nretry: 3000\n${event}\n\n`;
  const ways = [
    `${overLines(event)}\n\n`,
    `: heartbeat\n\n${event}\n\n`,
    `id: ${count}\n${tight(event)}\n: in between\n\n`,
  ];
  return ways[count % ways.length] ?? event;
}

// The format joins several data lines with a newline, which is white space in JSON.
function overLines(event: string): string {
  if (!event.startsWith('data: {')) return event;
  const json: unknown = JSON.parse(event.slice('data: '.length));
  return JSON.stringify(json, null, 1)
    .split('\n')
    .map((line) => `data: ${line}`)
    .join('\n');
}

// The space after the colon is optional.
function tight(event: string): string {
  return event.replace(/^data: /gm, 'data:');
}
