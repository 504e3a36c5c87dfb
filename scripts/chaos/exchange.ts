// One exchange of a chaos run, from the ask to its subscribers' last event, with all its disturbances.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AskInput } from '@parley/schema/chat/ask';
import type { FinalEvent } from '@parley/schema/generation/events';
import type { Reason } from '@parley/schema/reasons';
import type { Account, Device } from '../api-client.ts';
import { now } from '../fake-provider/record.ts';
import type { Random } from './random.ts';
import type { Disturbance, Plan } from './plan.ts';
import { callLines } from './tools.ts';
import { openViewer, serverRefusal, type Viewer } from './viewer.ts';

export interface Person {
  account: Account;
  devices: Device[];
}

/** A conversation as its user expects it. */
export interface Talk {
  conversationId: string;
  person: Person;
  exchanges: Exchange[];
  /** The title of the last rename the server confirmed. */
  title: string | null;
  /** `perhaps`: a removal that found nothing, because it came before the conversation or repeated. */
  removed: 'no' | 'perhaps' | 'yes';
}

export interface Exchange {
  /** Its number in the run. */
  index: number;
  plan: Plan;
  talk: Talk;
  input: AskInput;
  question: string;
  /** Text that is in no other question. */
  mark: string;
  acknowledged: boolean;
  refused: Reason | null;
  askedAt: number;
  /** When the server confirmed the stop, and the event it returned. */
  stopped: { at: number; final: FinalEvent | null } | null;
  viewers: Viewer[];
  /** Whether a request about it was never answered. */
  unanswered: boolean;
}

const RETRY_MS = 150;
/** An ask that meets a dead run waits for its lease; it should never wait longer than this. */
const ASK_PATIENCE_MS = 120_000;
/** Long enough for a stop that waits for a dead run's lease, interrupted by further outages. */
const INSIST_MS = 120_000;
/** Longer than two outages and their leases: a subscriber that waits this long has been forgotten. */
const VIEWER_PATIENCE_MS = 120_000;

/** Resolves when every viewer has ended. */
export async function perform(exchange: Exchange, chance: Random): Promise<void> {
  const { plan, talk } = exchange;
  const [device] = talk.person.devices;
  if (!device) return;
  talk.exchanges.push(exchange);
  exchange.askedAt = now();
  if (plan.stopAt !== null && plan.stopAt < 0) {
    stop(exchange, device).catch(() => (exchange.unanswered = true));
    await sleep(-plan.stopAt);
  }
  exchange.viewers = plan.viewers.map((disturbances, n) => watch(exchange, n, disturbances, chance.part(n)));
  const side = [
    at(plan.stopAt, () => stop(exchange, device)),
    at(plan.renameAt, () => rename(talk, device, `Title ${exchange.index}`)),
    at(plan.removeAt, () => remove(talk, device)),
  ];
  for (const done of side) done.catch(() => (exchange.unanswered = true));
  await askUntilAccepted(exchange, device);
  if (!exchange.acknowledged) for (const viewer of exchange.viewers) viewer.leave();
  const late = setTimeout(() => exchange.viewers.forEach((viewer) => viewer.leave()), VIEWER_PATIENCE_MS);
  await Promise.allSettled([...side, ...exchange.viewers.map((viewer) => viewer.done)]);
  clearTimeout(late);
}

/** Retries with the same ids until the server accepts or refuses, as an outbox does. */
async function askUntilAccepted(exchange: Exchange, device: Device): Promise<void> {
  const { plan } = exchange;
  const deadline = now() + ASK_PATIENCE_MS;
  if (plan.loseResponseAfter !== null) await ask(exchange, device, AbortSignal.timeout(plan.loseResponseAfter));
  while (!exchange.acknowledged && now() < deadline) {
    await Promise.all(Array.from({ length: plan.copies }, () => ask(exchange, device)));
    if (exchange.acknowledged || isForGood(exchange)) return;
    await sleep(RETRY_MS);
  }
}

async function ask(exchange: Exchange, device: Device, signal?: AbortSignal): Promise<void> {
  try {
    const asked = await device.api.messages.ask.mutate(exchange.input, { ...(signal && { signal }) });
    exchange.acknowledged ||= asked.reply.messageId === exchange.input.replyId;
  } catch (error) {
    if (!signal?.aborted) exchange.refused = serverRefusal(error);
  }
}

function isForGood({ refused }: Exchange): boolean {
  return refused !== null && refused.type !== 'concurrent' && refused.type !== 'unavailable';
}

/** Retries through outages until the stop is answered. */
async function stop(exchange: Exchange, device: Device): Promise<void> {
  const { generationId } = exchange.input;
  const final = await retryUntilReached(() => device.api.messages.abort.mutate({ generationId }));
  exchange.stopped = { at: now(), final };
}

async function rename(talk: Talk, device: Device, title: string): Promise<void> {
  const { conversationId } = talk;
  const convo = await retryUntilReached(() => device.api.convos.rename.mutate({ conversationId, title }));
  if (convo) talk.title = title;
}

async function remove(talk: Talk, device: Device): Promise<void> {
  talk.removed = 'perhaps';
  const { conversationId } = talk;
  const removed = await retryUntilReached(() => device.api.convos.remove.mutate({ conversationId }));
  if (removed && removed.deletedCount > 0) talk.removed = 'yes';
}

/** The response, or null when the server refuses. Retries transport failures for a while, then throws the error. */
export async function retryUntilReached<T>(call: () => Promise<T>): Promise<T | null> {
  const deadline = now() + INSIST_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (serverRefusal(error)) return null;
      if (now() > deadline) throw error;
      await sleep(RETRY_MS);
    }
  }
}

function watch(exchange: Exchange, n: number, disturbances: Disturbance[], chance: Random): Viewer {
  const { talk, input } = exchange;
  const { devices } = talk.person;
  const device = devices[n % devices.length] ?? devices[0];
  if (!device) throw new Error('A person has no device');
  const viewer = openViewer(device, input.generationId, () => {
    if (talk.removed !== 'no') return 'gone';
    return exchange.acknowledged ? null : 'not yet';
  });
  for (const disturbance of disturbances)
    setTimeout(() => interruptViewer(viewer, device, disturbance, chance), disturbance.at).unref();
  return viewer;
}

function interruptViewer(viewer: Viewer, device: Device, what: Disturbance, chance: Random): void {
  switch (what.type) {
    case 'cut':
      return device.socket()?.terminate();
    case 'pause':
      return pause(device, what.ms);
    case 'attach again':
      return viewer.attachAgain(what.from, chance);
    default:
      return what satisfies never;
  }
}

/** Simulates a client's machine that sleeps for a while with its socket open. */
function pause(device: Device, ms: number): void {
  const socket = device.socket();
  if (socket?.readyState !== socket?.OPEN) return;
  socket?.pause();
  setTimeout(() => socket?.resume(), ms);
}

async function at(ms: number | null, act: () => Promise<void>): Promise<void> {
  if (ms === null || ms < 0) return;
  await sleep(ms);
  await act();
}

/** A unique question that selects the provider's scenario. */
export function questionFor(index: number, { scenario, arg, course }: Plan): { question: string; mark: string } {
  const mark = `question ${index} of ${randomUUID()}`;
  const wish = arg === undefined ? scenario : `${scenario}:${arg}`;
  const calls = course === 'tools' ? `\n${callLines(mark)}` : '';
  return { mark, question: `[[${wish}]] This is ${mark}.${calls}` };
}
