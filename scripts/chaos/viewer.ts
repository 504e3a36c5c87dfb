// One subscriber of a generation: attaches through the official client, folds events, and reattaches after every
// failure.
import type { FinalEvent, GenerationEvent } from '@parley/schema/generation/events';
import { fold } from '@parley/schema/generation/fold';
import { messageText, type Message, type MessagePart } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import { TRPCClientError } from '@trpc/client';
import type { Device } from '../api-client.ts';
import type { Random } from './random.ts';

export interface Viewer {
  final: FinalEvent | null;
  /** The text folded from deltas, just before `final` replaced it. */
  textSeen: string;
  /** The parts folded from deltas, just before `final` replaced them. */
  folded: MessagePart[];
  /** Events that did not fold, and unexpected refusals. */
  faults: string[];
  /** Attaches again from some event it has seen, or from a made-up one. */
  attachAgain(from: 'last' | 'older' | 'garbage' | 'nothing', chance: Random): void;
  /** Stops reading. */
  leave(): void;
  /** Resolves at its final event, when it left, or when there is nothing left to read. */
  done: Promise<void>;
}

const AGAIN_MS = 100;
const GARBAGE = ['-1', '0', 'NaN', '9'.repeat(10), '9'.repeat(20), 'null', "'; drop table --", '😀'] as const;

/**
 * `mayBeMissing` returns whether the server may report the generation as unknown (yet, or any more); `onEvent` is told
 * that an event came.
 */
export function openViewer(
  device: Device,
  generationId: string,
  mayBeMissing: () => 'not yet' | 'gone' | null,
  onEvent: () => void = () => {},
): Viewer {
  let reply: Message | null = null;
  let seen: string[] = [];
  let leaveStream = () => {};
  let settle = () => {};
  const done = new Promise<void>((resolve) => (settle = resolve));
  const viewer: Viewer = {
    final: null,
    textSeen: '',
    folded: [],
    faults: [],
    attachAgain(from, chance) {
      if (!over) attach(eventIdFor(from, seen, chance));
    },
    leave: end,
    done,
  };
  let over = false;
  attach(undefined);
  return viewer;

  function attach(lastEventId: string | undefined): void {
    leaveStream();
    if (over) return;
    // A stream from the beginning is folded from the beginning, as after a reload.
    if (lastEventId === undefined) [reply, seen] = [null, []];
    leaveStream = readStream(
      device,
      { generationId, lastEventId },
      {
        take,
        isWorthAnotherTry,
        onEnd: () => over || attach(seen.at(-1)),
      },
    );
  }

  function take(id: string, event: GenerationEvent): void {
    seen.push(id);
    onEvent();
    if (event.type === 'final') {
      viewer.textSeen = reply ? messageText(reply) : '';
      viewer.folded = reply?.parts ?? [];
      viewer.final = event;
      return end();
    }
    try {
      reply = event.type === 'created' ? event.reply : foldNext(reply, event);
    } catch (error) {
      viewer.faults.push(`did not fold: ${error instanceof Error ? error.message : error}`);
      attach(undefined);
    }
  }

  function isWorthAnotherTry(error: unknown): boolean {
    const reason = serverRefusal(error);
    if (reason === null || reason.type === 'unavailable') return true;
    const missing = mayBeMissing();
    if (reason.type === 'not_found' && missing === 'not yet') return true;
    if (reason.type !== 'not_found' || missing !== 'gone') viewer.faults.push(`was refused: ${JSON.stringify(reason)}`);
    end();
    return false;
  }

  function end(): void {
    over = true;
    leaveStream();
    settle();
  }
}

interface StreamReader {
  take(id: string, event: GenerationEvent): void;
  isWorthAnotherTry(error: unknown): boolean;
  /** A while after the stream broke off or ended. */
  onEnd(): void;
}

/** Reads one event stream. After the returned function was called it reports nothing any more. */
function readStream(
  device: Device,
  from: { generationId: string; lastEventId: string | undefined },
  { take, isWorthAnotherTry, onEnd }: StreamReader,
): () => void {
  let isRead = true;
  const endSoon = () => {
    if (!isRead) return;
    isRead = false;
    setTimeout(onEnd, AGAIN_MS);
  };
  const stream = device.api.messages.attach.subscribe(from, {
    onData: ({ id, data }) => void (isRead && take(id, data)),
    onError: (error) => void (isRead && isWorthAnotherTry(error) && endSoon()),
    onComplete: endSoon,
  });
  return () => {
    isRead = false;
    stream.unsubscribe();
  };
}

/** @throws Error when something is missing before `event` */
function foldNext(reply: Message | null, event: GenerationEvent): Message {
  if (!reply) throw new Error(`${event.type} came before created`);
  return fold(reply, event);
}

function eventIdFor(
  from: 'last' | 'older' | 'garbage' | 'nothing',
  seen: string[],
  chance: Random,
): string | undefined {
  switch (from) {
    case 'last':
      return seen.at(-1);
    case 'older':
      return seen[chance.between(0, Math.max(0, seen.length - 1))];
    case 'garbage':
      return chance.pick(GARBAGE);
    case 'nothing':
      return undefined;
    default:
      return from satisfies never;
  }
}

/** The server's reason for a refusal; null when the transport failed. */
export function serverRefusal(error: unknown): Reason | null {
  if (!(error instanceof TRPCClientError)) return null;
  const reason: Reason | undefined = error.data?.reason;
  if (reason) return reason;
  return error.data ? { type: 'unknown', text: error.message } : null;
}
