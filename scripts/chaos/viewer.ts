// One reader of a generation: attaches through the official client, folds, and comes back after whatever happens.
import type { FinalEvent, GenerationEvent } from '@parley/schema/events';
import { fold } from '@parley/schema/fold';
import { textOf, type Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import { TRPCClientError } from '@trpc/client';
import type { Device } from '../person.ts';
import type { Chance } from './chance.ts';

export interface Viewer {
  final: FinalEvent | null;
  /** The text folded from deltas, just before `final` replaced it. */
  told: string;
  /** Events that did not fold, refusals that should not be. */
  faults: string[];
  /** Attaches again from some event it has seen or made up. */
  attachAgain(from: 'last' | 'older' | 'garbage' | 'nothing', chance: Chance): void;
  /** Stops reading. */
  leave(): void;
  /** Resolves at its final event, or when it left, or when there is nothing to read any more. */
  done: Promise<void>;
}

const AGAIN_MS = 100;
const GARBAGE = ['-1', '0', 'NaN', '9'.repeat(10), '9'.repeat(20), 'null', "'; drop table --", '😀'] as const;

/** `mayBeMissing` tells whether the server may say that it knows no such generation (yet, or any more). */
export function openViewer(
  device: Device,
  generationId: string,
  mayBeMissing: () => 'not yet' | 'gone' | null,
): Viewer {
  let reply: Message | null = null;
  let seen: string[] = [];
  let subscription: { unsubscribe(): void } | null = null;
  let settle = () => {};
  const done = new Promise<void>((resolve) => (settle = resolve));
  const viewer: Viewer = {
    final: null,
    told: '',
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
    subscription?.unsubscribe();
    if (over) return;
    // What is told from the beginning is folded from the beginning, as a reader that reloaded would.
    if (lastEventId === undefined) [reply, seen] = [null, []];
    let mine = true;
    const again = () => {
      if (!mine) return;
      mine = false;
      setTimeout(() => void (over || attach(seen.at(-1))), AGAIN_MS);
    };
    const current = device.api.messages.attach.subscribe(
      { generationId, lastEventId },
      {
        onData: ({ id, data }) => void (mine && take(id, data)),
        onError: (error) => void (mine && isWorthAnotherTry(error) && again()),
        onComplete: () => void (viewer.final || again()),
      },
    );
    subscription = {
      unsubscribe() {
        mine = false;
        current.unsubscribe();
      },
    };
  }

  function take(id: string, event: GenerationEvent): void {
    seen.push(id);
    if (event.type === 'final') {
      viewer.told = reply ? textOf(reply) : '';
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
    const reason = refusalOf(error);
    if (reason === null) return true;
    const missing = mayBeMissing();
    if (reason.type === 'not_found' && missing === 'not yet') return true;
    if (reason.type !== 'not_found' || missing !== 'gone') viewer.faults.push(`was refused: ${JSON.stringify(reason)}`);
    end();
    return false;
  }

  function end(): void {
    over = true;
    subscription?.unsubscribe();
    settle();
  }
}

/** @throws Error when something is missing before `event` */
function foldNext(reply: Message | null, event: GenerationEvent): Message {
  if (!reply) throw new Error(`${event.type} came before created`);
  return fold(reply, event);
}

function eventIdFor(
  from: 'last' | 'older' | 'garbage' | 'nothing',
  seen: string[],
  chance: Chance,
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

/** Why the server said no; null when it was the transport that failed. */
export function refusalOf(error: unknown): Reason | null {
  if (!(error instanceof TRPCClientError)) return null;
  const reason: Reason | undefined = error.data?.reason;
  if (reason) return reason;
  return error.data ? { type: 'unknown', text: error.message } : null;
}
