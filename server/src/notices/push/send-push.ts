// Sends notices to the devices of a person through the push services of their browsers (RFC 8030), encrypted for each
// device (RFC 8291).
import type { Db } from '@parley/db/client';
import type { PushMessage } from '@parley/schema/notices/notices';
import type { Logger } from 'pino';
import type { Encryption } from '../../keys/encryption.ts';
import type { Egress } from '../../platform/egress.ts';
import type { AnswerEnd } from '../answer-end.ts';
import { isPushService } from './check-subscription.ts';
import { noteSent, readTargets, type SendTarget } from './targets.ts';
import type { VapidKeys } from './vapid.ts';

/** How long a push service keeps a message for a device that is off, in seconds. */
const TTL_SECONDS = 24 * 60 * 60;
/** Of a person, at most one message in this time, in milliseconds: it counts the answers that have ended since. */
const GATHER_MS = 10_000;
/** After this long without an answer, counting begins again, in milliseconds. */
const BURST_MS = 60_000;
const CALL_LIMITS = { maxBytes: 16 * 1024, timeoutMs: 10_000 };
/** A message has at most 4096 bytes, encrypted. */
const TITLE_MAX = 120;
/** A message replaces one that the push service has not delivered yet; so does its notice on the device. */
const TOPIC = 'answers';

export interface PushSender {
  /** Sends it now, or with the next message; resolves to whether a device has it. */
  send(end: AnswerEnd): Promise<boolean>;
  /** Sends a first message to the device of a session; resolves to whether its push service took it. */
  tryOut(userId: string, sid: string): Promise<boolean>;
  /** Sends what waits at once. */
  flush(): Promise<void>;
  /** Gives up what waits to be sent. */
  close(): void;
}

interface From {
  db: Db;
  encryption: Encryption;
  egress: Pick<Egress, 'call'>;
  log: Logger;
  appTitle: string;
  vapid: VapidKeys & { subject: string };
  /** The operator's push services. */
  hosts: readonly string[];
  onFault: (error: unknown) => void;
}

/** Answers of a person in close succession. */
interface Burst {
  count: number;
  /** Of the last answer. */
  timer: NodeJS.Timeout;
  waiting: NodeJS.Timeout | null;
  last: AnswerEnd;
}

export function createPushSender(from: From): PushSender {
  const bursts = new Map<string, Burst>();
  return {
    async send(end) {
      const burst = count(end);
      if (burst.waiting) return true;
      const wasFirst = burst.count === 1;
      burst.waiting = setTimeout(() => void sendGathered(burst), GATHER_MS).unref();
      return wasFirst ? sendTo(from, end.userId, messageOf(end, 1), urgencyOf(end)) : true;
    },
    async tryOut(userId, sid) {
      const message = { title: from.appTitle, body: 'Notices arrive on this device.', path: '/', tag: 'try' };
      return sendTo(from, userId, message, 'high', sid);
    },
    async flush() {
      await Promise.all([...bursts.values()].filter(({ waiting }) => waiting).map(sendGathered));
    },
    close() {
      for (const { timer, waiting } of bursts.values()) for (const one of [timer, waiting]) if (one) clearTimeout(one);
      bursts.clear();
    },
  };

  function count(end: AnswerEnd): Burst {
    const { userId } = end;
    const before = bursts.get(userId);
    if (before) clearTimeout(before.timer);
    const timer = setTimeout(() => bursts.delete(userId), BURST_MS).unref();
    const burst = Object.assign(before ?? { waiting: null }, { count: (before?.count ?? 0) + 1, timer, last: end });
    bursts.set(userId, burst);
    return burst;
  }

  async function sendGathered(burst: Burst): Promise<void> {
    const { last, count: answers } = burst;
    if (burst.waiting) clearTimeout(burst.waiting);
    burst.waiting = null;
    if (answers === 1) return;
    await sendTo(from, last.userId, messageOf(last, answers), urgencyOf(last)).catch(from.onFault);
  }
}

function messageOf({ conversationId, title, kind, settings }: AnswerEnd, count: number): PushMessage {
  const sentence = count > 1 ? `${count} answers are ready` : SENTENCES[kind];
  const name = settings.hasTitles && count === 1 ? title?.slice(0, TITLE_MAX) : undefined;
  return {
    title: name ?? sentence,
    body: name === undefined ? '' : sentence,
    path: `/c/${conversationId}`,
    tag: TOPIC,
  };
}

const SENTENCES = {
  ready: 'An answer is ready',
  waiting: 'An answer waits for you',
  failed: 'An answer has failed',
} as const satisfies Record<AnswerEnd['kind'], string>;

function urgencyOf({ kind }: AnswerEnd): 'normal' | 'high' {
  return kind === 'waiting' ? 'high' : 'normal';
}

async function sendTo(
  from: From,
  userId: string,
  message: PushMessage,
  urgency: 'normal' | 'high',
  sid?: string,
): Promise<boolean> {
  const { db, encryption, log } = from;
  const targets = await readTargets(db, encryption, userId, sid);
  const outcomes: Parameters<typeof noteSent>[2] = { gone: [], failed: [], sent: [] };
  const faults: string[] = [];
  await Promise.all(
    targets.map(async (target) => {
      const status = await post(from, target, message, urgency).catch((error: unknown) => nameOf(error));
      const isGone = status === 404 || status === 410;
      const isSent = typeof status === 'number' && status >= 200 && status < 300;
      outcomes[isGone ? 'gone' : isSent ? 'sent' : 'failed'].push(target.id);
      if (!isGone && !isSent) faults.push(String(status));
    }),
  );
  await noteSent(db, userId, outcomes);
  const { failed, gone, sent } = outcomes;
  if (failed.length > 0) {
    const counts = { failed: failed.length, gone: gone.length, sent: sent.length };
    log.warn({ event: 'push.failed', userId, ...counts, faults }, 'Notices could not be sent to some devices');
  }
  return sent.length > 0;
}

/** Resolves to the status of the push service, which a redirect is, too. */
async function post(
  { egress, vapid, hosts }: From,
  { endpoint, keys }: SendTarget,
  message: PushMessage,
  urgency: 'normal' | 'high',
): Promise<number> {
  // The operator's list may be another one by now.
  if (!isPushService(endpoint, hosts)) throw new Error('The address is of no push service');
  // Loaded on first use: most servers send nothing. Only its encryption is used, never its own requests.
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message), {
    vapidDetails: vapid,
    TTL: TTL_SECONDS,
    urgency,
    topic: TOPIC,
    contentEncoding: 'aes128gcm',
  });
  const response = await egress.call(
    endpoint,
    { method: 'POST', headers: textsOf(headers), body: new Uint8Array(body) },
    CALL_LIMITS,
  );
  await response.body?.cancel();
  return response.status;
}

/** The length of the body is its own. */
function textsOf(headers: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === 'content-length' ? [] : [[name, String(value)]],
    ),
  );
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}
