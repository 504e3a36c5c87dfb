// One exchange from ask to final, for the routers: ask, attach, stop.
import type { Db } from '@parley/db/client';
import { earlyStops, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import { users } from '@parley/db/tables/users';
import type { AskInput } from '@parley/schema/ask';
import { endpointTable } from '@parley/schema/endpoints';
import type { CreatedEvent, Entry, FinalEvent } from '@parley/schema/events';
import { isLast } from '@parley/schema/fold';
import { textOf, type Message } from '@parley/schema/messages';
import { parseSettings } from '@parley/schema/settings';
import type { Reason } from '@parley/schema/reasons';
import type { Upstream as UpstreamTold } from '@parley/schema/upstream';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { readConvo } from '../convos/convos.ts';
import type { Titles } from '../convos/titles.ts';
import type { Client } from '../client.ts';
import { withDeadline } from '../deadline.ts';
import type { Endpoint, Endpoints } from '../endpoints/endpoint.ts';
import { factsOf } from '../endpoints/models.ts';
import type { Upstream } from '../endpoints/provider.ts';
import { Refusal, refuse } from '../errors.ts';
import { END, type GenerationLog } from '../generation/log.ts';
import { readLive } from '../generation/read.ts';
import type { Runs } from '../generation/runs.ts';
import type { AskLimits } from '../limits/ask-limits.ts';
import type { Money } from '../money/money.ts';
import type { Notices } from '../notices.ts';
import { countingOffences, offend } from '../violations/offence.ts';
import type { Violations } from '../violations/violations.ts';
import { beginExchange, type Begun } from './ask.ts';
import { findBegun } from './begun.ts';
import { contextLimitsOf } from './context-limits.ts';
import { finishRun } from './finish.ts';
import { readHistory } from './history.ts';
import type { Moderation } from './moderation.ts';
import type { Ask } from './open-messages.ts';
import { presentMessage } from './present.ts';
import { readEntries, settleOrphans } from './settle.ts';
import { isKept, keepRefused } from './refused-asks.ts';
import { findUpstreamPlace, keepingUpstream } from './upstream.ts';
import type { Summaries } from './summaries.ts';
import { addUsage, pricedAt, usedBy } from './usage.ts';

export interface Exchanges {
  /** Begins an exchange and gives what `created` says; the run goes on by itself. */
  ask(userId: string, input: AskInput, from?: AskedFrom): Promise<CreatedEvent>;
  /** The events of a generation after `afterSeq`, until its final one. Waits a moment for its ask. */
  attach(userId: string, generationId: string, afterSeq: number, signal: AbortSignal): AsyncGenerator<Entry, void>;
  /** Stops a generation and gives its final event; null when nothing was running. */
  stop(userId: string, generationId: string, signal?: AbortSignal): Promise<FinalEvent | null>;
  /** Tries again what was refused because of a run, when that run's process has died: it is settled first. */
  settling<T>(attempt: () => Promise<T>): Promise<T>;
}

export interface AskedFrom {
  /** Who asks, if not we. */
  client?: Client | undefined;
  /** Whether what is refused for now is kept in its conversation as well. */
  keepsRefused?: boolean | undefined;
}

interface Parts {
  db: Db;
  owner: string;
  endpoints: Endpoints;
  runs: Runs;
  generationLog: GenerationLog;
  notices: Notices;
  titles: Titles;
  summaries: Summaries;
  moderate: Moderation;
  limits: AskLimits;
  violations: Violations;
  money: Money;
  log: Logger;
}

/** How long an attach waits for the ask that it overtook. */
const ASK_PATIENCE_MS = 10_000;
/** How long an attach that is not far behind its ask waits before it looks in the database. */
const BREATH_MS = 50;
/** How often a generation of another process is looked at. */
const POLL_MS = 200;

export function createExchanges(parts: Parts): Exchanges {
  const { db, owner, endpoints, runs, generationLog, notices, titles, summaries } = parts;
  const { moderate, limits, violations, money, log } = parts;
  notices.on('stop:', (generationId) => void runs.stop(generationId));
  return { ask, attach, stop, settling };

  async function ask(userId: string, input: AskInput, { client, keepsRefused }: AskedFrom = {}): Promise<CreatedEvent> {
    try {
      return await askCounted(userId, input, client ?? null);
    } catch (error) {
      if (keepsRefused && error instanceof Refusal && isKept(input, error.reason))
        await keep(userId, input, storedReason(error));
      throw error;
    }
  }

  /** What cannot be kept is no reason to say anything else than why it was refused. */
  async function keep(userId: string, input: AskInput, reason: Reason): Promise<void> {
    try {
      const endpoint = endpoints.assert(input.endpoint);
      const model = input.model ?? endpointTable[endpoint.type].defaultModel;
      const settings = parseSettings(endpoint.type, input.settings, model);
      // Nothing is asked, so nothing need be known of the model.
      await keepRefused(db, { userId, owner, input, endpoint, model, facts: {}, settings }, reason);
    } catch (error) {
      if (!(error instanceof Refusal || error instanceof ZodError)) throw error;
    }
  }

  function askCounted(userId: string, input: AskInput, client: Client | null): Promise<CreatedEvent> {
    const asker = { userId, client };
    return countingOffences(violations, { userId, ip: client?.ip ?? null }, () =>
      unlessBegun(userId, input, () => limits.within(asker, input.generationId, () => askWithinLimits(userId, input))),
    );
  }

  /** What would refuse an ask now, such as a key that has expired, has nothing to say to one that began before. */
  async function unlessBegun(
    userId: string,
    input: AskInput,
    begin: () => Promise<CreatedEvent>,
  ): Promise<CreatedEvent> {
    try {
      return await begin();
    } catch (error) {
      const begun = error instanceof Refusal ? await findBegun(db.query, userId, input) : null;
      if (!begun) throw error;
      return begun;
    }
  }

  async function askWithinLimits(userId: string, input: AskInput): Promise<CreatedEvent> {
    const endpoint = endpoints.assert(input.endpoint);
    await moderate(userId, endpoint.type, input);
    const model = await assertModel(endpoint, userId, input.model);
    const upstream = await endpoint.upstream(userId, model);
    const settings = parseSettings(endpoint.type, input.settings, model);
    const facts = await factsOf(endpoint, userId, model);
    const asked = { userId, owner, input, endpoint, model, facts, settings };
    const reserve = await money.prepare(asked);
    const begin = () => beginExchange(db, asked, { assertRoom: (tx) => limits.assertRoom(tx, userId), reserve });
    const begun = await settling(begin);
    if (begun.fresh) run(asked, begun, upstream);
    return begun.created;
  }

  async function settling<T>(attempt: () => Promise<T>): Promise<T> {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason.type !== 'concurrent') throw error;
      if ((await settleOrphans(db, owner, generationLog.living())) === 0) throw error;
      return attempt();
    }
  }

  function run(asked: Ask, begun: Begun, upstream: Upstream) {
    const { userId, input, endpoint, model, facts } = asked;
    const { created, reserved } = begun;
    const { settings } = created.convo;
    const generationId = created.reply.generationId ?? '';
    let context: Message['context'] = null;
    let told: UpstreamTold | null = null;
    runs.start({
      generationId,
      userId,
      epoch: 1,
      created,
      isSpaced: input.target.kind === 'edit' || input.target.kind === 'continue',
      async *deltas(signal) {
        const last = textOf(created.reply) === '' ? created.request : created.reply;
        const plan = await readHistory(db.query, userId, last, contextLimitsOf(endpoint, model, settings, facts));
        const ask = { userId, convo: created.convo, endpoint, model };
        const { messages, summary, context: shown } = await summaries.complete(plan, ask, signal);
        // Stopped before it was asked: nobody saw anything, and nothing is paid.
        if (signal.aborted) return;
        context = shown;
        const upstreamPlace = await findUpstreamPlace(db.query, userId, created);
        const call = { upstream, model, settings, messages, summary, userId, upstreamPlace };
        const said = money.follow({ ask: asked, reserved }, (until) => endpoint.provider(call, until), signal);
        yield* keepingUpstream(said, (upstream) => (told = upstream));
      },
      reasonOf(error) {
        if (error instanceof Refusal) return error.reason;
        log.error({ err: errorName(error), generationId }, 'a run failed');
        return { type: 'unknown', text: 'Something went wrong on the server.' };
      },
      async save(reply) {
        const used = pricedAt(facts.rates, usedBy(created.reply, reply));
        const whole = { ...reply, context, usage: addUsage(created.reply.usage, used) };
        const final = await finishRun(db, { generationId, userId, owner, epoch: 1 }, whole, used, told);
        if (final?.reply.reason)
          log.warn({ generationId, endpoint: endpoint.name, reason: final.reply.reason.type }, 'a reply failed');
        if (final && begun.untitled) titles.give(userId, final, endpoint);
        return final;
      },
    });
    if (begun.stopRequested) void runs.stop(generationId);
  }

  async function* attach(userId: string, generationId: string, afterSeq: number, signal: AbortSignal) {
    // Browsers ask and attach in one breath: most asks have arrived before the database is worth a question.
    if (!generationLog.find(generationId) && afterSeq === 0) await generationLog.opened(generationId, BREATH_MS);
    let cursor = afterSeq;
    while (!signal.aborted && cursor < END) {
      const live = generationLog.find(generationId);
      if (live && live.userId !== userId) refuse({ type: 'not_found', what: 'generation' });
      const entries = live ? readLive(live, cursor, signal) : await findStored(userId, generationId, cursor, signal);
      for await (const entry of entries) {
        yield entry;
        cursor = entry.seq;
        if (isLast(entry.event)) return;
      }
      if (!live && !generationLog.find(generationId)) await generationLog.opened(generationId, POLL_MS);
    }
  }

  /**
   * What the database knows of a generation after `cursor`, as soon as it knows of it: its ask may be on its way.
   * Nothing, once the generation is opened here: a database with much to do must not keep it from its reader.
   */
  async function findStored(userId: string, generationId: string, cursor: number, left: AbortSignal): Promise<Entry[]> {
    const signal = withDeadline(ASK_PATIENCE_MS, left);
    let isOpened = false;
    const opened = generationLog.opened(generationId, 2 * ASK_PATIENCE_MS).then(() => void (isOpened = true));
    // An ask is a change of its user's conversations, whichever process takes it.
    const bell = notices.bell(`change:${userId}`);
    try {
      while (!signal.aborted) {
        const entries = await Promise.race([readStored(userId, generationId, cursor), opened]);
        // It may have been opened and have ended meanwhile: whoever waited looks again.
        if (entries || isOpened) return entries ?? [];
        await Promise.race([bell.next(signal), opened]);
      }
      return left.aborted ? [] : refuse({ type: 'not_found', what: 'generation' });
    } finally {
      bell.end();
    }
  }

  /** What the database knows of a generation after `cursor`: its log so far or its end. Null when it knows nothing. */
  async function readStored(userId: string, generationId: string, cursor: number): Promise<Entry[] | null> {
    const [row] = await db.query
      .select({ endedAt: generations.endedAt, leaseEnded: sql<boolean>`${generations.leaseUntil} < now()` })
      .from(generations)
      .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
    if (!row) return null;
    if (row.endedAt === null && row.leaseEnded) await settleOrphans(db, owner, generationLog.living());
    const final = await findFinal(userId, generationId);
    return final ? [{ seq: END, event: final }] : readEntries(db, generationId, cursor);
  }

  async function findFinal(userId: string, generationId: string): Promise<FinalEvent | null> {
    const [generation] = await db.query
      .select()
      .from(generations)
      .where(and(eq(generations.id, generationId), eq(generations.userId, userId)));
    if (!generation?.endedAt) return null;
    const rows = await db.query
      .select()
      .from(messages)
      .where(
        and(
          eq(messages.userId, userId),
          sql`${messages.id} in (${generation.requestId}, ${generation.replyId})`,
          isNull(messages.deletedAt),
        ),
      );
    const request = rows.find((row) => row.id === generation.requestId);
    const reply = rows.find((row) => row.id === generation.replyId);
    if (!request || !reply) refuse({ type: 'not_found', what: 'message' });
    const convo = await readConvo(db, userId, generation.convoId);
    return { type: 'final', request: presentMessage(request), reply: presentMessage(reply), convo };
  }

  async function stop(userId: string, generationId: string, signal?: AbortSignal): Promise<FinalEvent | null> {
    const live = generationLog.find(generationId);
    if (live) return live.userId === userId ? runs.stop(generationId) : null;
    const isRunning = await requestStop(userId, generationId);
    return isRunning ? waitForFinal(userId, generationId, signal) : null;
  }

  /**
   * Leaves word for the owner of a run, or a mark for an ask that has not come; tells whether it runs. An ask holds its
   * user's row until it is committed, so a stop comes wholly before it or wholly after, and never goes unheard.
   */
  function requestStop(userId: string, generationId: string): Promise<boolean> {
    return db.query.transaction(async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
      const mine = and(eq(generations.id, generationId), eq(generations.userId, userId));
      const [known] = await tx.select({ endedAt: generations.endedAt }).from(generations).where(mine);
      if (!known) await tx.insert(earlyStops).values({ userId, generationId }).onConflictDoNothing();
      if (known?.endedAt !== null) return false;
      const told = sql`pg_notify('parley', ${`stop:${generationId}`}::text)`;
      await tx.update(generations).set({ stopRequested: true }).where(mine).returning({ told });
      return true;
    });
  }

  async function waitForFinal(userId: string, generationId: string, left?: AbortSignal): Promise<FinalEvent | null> {
    const signal = withDeadline(ASK_PATIENCE_MS, left);
    for await (const { event } of attach(userId, generationId, 0, signal)) if (event.type === 'final') return event;
    return null;
  }
}

/** With what was counted: whoever reads it later is told the same as who was there. */
function storedReason({ reason, violation }: Refusal): Reason {
  const isCounted = reason.type === 'concurrent' || reason.type === 'message_limit';
  return isCounted && violation ? { ...reason, violation } : reason;
}

/** The model asked for, or the endpoint's first. Refuses one that is not to be had. */
export async function assertModel(
  endpoint: Endpoint,
  userId: string,
  asked: string | null | undefined,
): Promise<string> {
  const models = await endpoint.models(userId);
  const model = asked ?? models[0] ?? endpointTable[endpoint.type].defaultModel;
  if (models.includes(model) || endpoint.takes(model)) return model;
  return offend({ type: 'illegal_model_request', endpoint: endpoint.name, model });
}

function errorName(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message.slice(0, 200)}` : 'not an error';
}
