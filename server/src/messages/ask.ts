// The beginning of an exchange: everything that is asked becomes durable in one transaction, and only then a provider
// hears of it.
import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { earlyStops, generations } from '@parley/db/tables/generations';
import { messages } from '@parley/db/tables/messages';
import type { AskInput } from '@parley/schema/ask';
import { cleanText } from '@parley/schema/clean-text';
import type { CreatedEvent } from '@parley/schema/events';
import type { Settings } from '@parley/schema/params';
import { senderOf } from '@parley/schema/sender';
import { and, eq, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { presentConvo, type ConvoRow } from '../convos/present.ts';
import type { Endpoint } from '../endpoints/endpoint.ts';
import { refuse } from '../errors.ts';
import { LEASE_SECONDS } from './log-store.ts';
import { presentMessage, type MessageRow } from './present.ts';
import { assertMessage } from './thread.ts';

/** An ask whose words have been understood: the endpoint exists, the model is on offer, the settings are in bounds. */
export interface Ask {
  userId: string;
  owner: string;
  input: AskInput;
  endpoint: Endpoint;
  model: string;
  settings: Settings;
}

export interface Begun {
  created: CreatedEvent;
  /** False when the same ask had begun before: then nobody has to run it. */
  fresh: boolean;
  stopRequested: boolean;
  /** Whether the conversation waits for a title, as after its first exchange. */
  untitled: boolean;
}

/**
 * Writes the conversation if it is new, the question, an empty reply and the generation. The same ids again give what
 * was written the first time.
 * @throws Refusal `not_found`, `conflict` or `concurrent`
 */
export async function beginExchange(db: Db, ask: Ask): Promise<Begun> {
  return db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, ask.userId);
    const known = await findBegun(tx, ask);
    if (known) return known;
    const convo = await openConvo(tx, ask, changeSeq);
    const { request, reply } = await openMessages(tx, ask);
    const stopRequested = await insertGeneration(tx, ask, request);
    const created: CreatedEvent = {
      type: 'created',
      request: presentMessage(request),
      reply: presentMessage(reply),
      convo: presentConvo(convo),
    };
    return { created, fresh: true, stopRequested, untitled: convo.titledBy === null };
  });
}

async function findBegun(tx: Tx, { userId, input }: Ask): Promise<Begun | null> {
  const [generation] = await tx.select().from(generations).where(eq(generations.id, input.generationId));
  if (!generation) return null;
  if (generation.userId !== userId || generation.replyId !== input.replyId)
    refuse({ type: 'conflict', text: 'This generation id is taken' });
  const place = { userId, convoId: generation.convoId };
  const created: CreatedEvent = {
    type: 'created',
    request: presentMessage(await assertMessage(tx, place, generation.requestId)),
    reply: presentMessage(await assertMessage(tx, place, generation.replyId)),
    convo: presentConvo(await assertConvo(tx, userId, generation.convoId)),
  };
  return { created, fresh: false, stopRequested: false, untitled: false };
}

async function assertConvo(tx: Tx, userId: string, id: string): Promise<ConvoRow> {
  const row = await findConvo(tx, userId, id);
  return row && row.deletedAt === null ? row : refuse({ type: 'not_found', what: 'convo' });
}

async function findConvo(tx: Tx, userId: string, id: string): Promise<ConvoRow | undefined> {
  const [row] = await tx
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), eq(convos.id, id)));
  return row;
}

/** The conversation, marked as running. A deleted one is not brought back by a late send. */
async function openConvo(tx: Tx, ask: Ask, changeSeq: number): Promise<ConvoRow> {
  const { userId, input, endpoint, model, settings } = ask;
  const before = await findConvo(tx, userId, input.conversationId);
  if (before?.deletedAt) refuse({ type: 'not_found', what: 'convo' });
  if (before?.running) refuse({ type: 'concurrent', limit: 1 });
  const chat = {
    endpoint: endpoint.name,
    endpointType: endpoint.type,
    model,
    settings,
    running: input.generationId,
    changeSeq,
  };
  const [row] = before
    ? await tx
        .update(convos)
        .set({ ...chat, updatedAt: sql`now()` })
        .where(and(eq(convos.userId, userId), eq(convos.id, input.conversationId)))
        .returning()
    : await tx
        .insert(convos)
        .values({ userId, id: assertNew(input), ...chat })
        .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

/** Only a first send makes a conversation: everything else speaks of one that is gone. */
function assertNew({ conversationId, target }: AskInput): string {
  const isFirst = target.kind === 'send' && target.parentMessageId === null;
  return isFirst ? conversationId : refuse({ type: 'not_found', what: 'convo' });
}

/** The question, a new one unless it is answered again, and the empty reply to it. */
async function openMessages(tx: Tx, ask: Ask): Promise<{ request: MessageRow; reply: MessageRow }> {
  const { userId, input } = ask;
  const place = { userId, convoId: input.conversationId };
  switch (input.target.kind) {
    case 'send': {
      const { messageId, parentMessageId } = input.target;
      const parent = parentMessageId === null ? null : await assertMessage(tx, place, parentMessageId);
      const depth = parent ? parent.depth + 1 : 0;
      // In one statement: their order in it is the order of their numbers.
      const [request, reply] = await insertMessages(tx, [
        questionOf(ask, input.target, depth),
        replyTo(ask, { id: messageId, depth }),
      ]);
      return { request, reply };
    }
    case 'regenerate': {
      const request = await assertMessage(tx, place, input.target.parentMessageId);
      if (!request.isCreatedByUser) refuse({ type: 'conflict', text: 'Only a question can be answered' });
      const [reply] = await insertMessages(tx, [replyTo(ask, request)]);
      return { request, reply };
    }
    case 'continue':
    case 'edit':
      return refuse({ type: 'invalid_input', text: 'Answers cannot be continued or edited yet' });
    default:
      return input.target satisfies never;
  }
}

type NewMessage = typeof messages.$inferInsert;

/** All of them or none. */
async function insertMessages<const Rows extends readonly NewMessage[]>(tx: Tx, rows: Rows) {
  const inserted = await tx
    .insert(messages)
    .values([...rows])
    .onConflictDoNothing()
    .returning();
  if (inserted.length < rows.length) refuse({ type: 'conflict', text: 'This message id is taken' });
  return inserted as unknown as { [Place in keyof Rows]: MessageRow };
}

function questionOf(ask: Ask, target: Extract<AskInput['target'], { kind: 'send' }>, depth: number): NewMessage {
  return {
    ...placeOf(ask),
    id: target.messageId,
    parentId: target.parentMessageId,
    depth,
    isCreatedByUser: true,
    sender: 'User',
    parts: [{ type: 'text', text: cleanText(target.text) }],
  };
}

function replyTo(ask: Ask, request: { id: string; depth: number }): NewMessage {
  const { input, endpoint, model, settings } = ask;
  const { modelDisplayLabel } = endpoint.config;
  return {
    ...placeOf(ask),
    id: input.replyId,
    parentId: request.id,
    depth: request.depth + 1,
    isCreatedByUser: false,
    sender: senderOf({ endpointType: endpoint.type, model, settings, modelDisplayLabel }),
    parts: [],
    unfinished: true,
    generationId: input.generationId,
  };
}

function placeOf({ userId, input, endpoint, model }: Ask) {
  return { userId, convoId: input.conversationId, endpoint: endpoint.name, endpointType: endpoint.type, model };
}

/** Gives whether the stop was quicker than the ask. */
async function insertGeneration(tx: Tx, ask: Ask, request: MessageRow): Promise<boolean> {
  const { userId, owner, input, endpoint, model } = ask;
  const early = await tx
    .delete(earlyStops)
    .where(and(eq(earlyStops.userId, userId), eq(earlyStops.generationId, input.generationId)))
    .returning();
  const stopRequested = early.length > 0;
  await tx.insert(generations).values({
    id: input.generationId,
    userId,
    convoId: input.conversationId,
    requestId: request.id,
    replyId: input.replyId,
    kind: input.target.kind,
    endpoint: endpoint.name,
    model,
    owner,
    leaseUntil: sql`now() + make_interval(secs => ${LEASE_SECONDS})`,
    stopRequested,
  });
  return stopRequested;
}
