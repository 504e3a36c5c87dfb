// Saves conversations in batches of one user each. An export has the conversations of all users mixed.
import type { ImportItem } from '@parley/schema/transfer/results';
import type { Db } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { messages } from '@parley/db/tables/messages';
import { Id } from '@parley/schema/ids';
import { and, eq, sql } from 'drizzle-orm';
import type { Prepared } from '../prepare.ts';
import type { SavePolicy } from '../save-messages.ts';
import { saveConvos } from '../save.ts';
import { skip, type Report } from './report.ts';
import type { Target } from './target.ts';
import { derivedId } from '../../platform/derived-id.ts';

/** Limits of one transaction. */
const BATCH = { convos: 100, messages: 2000, bytes: 8_000_000 };
/** Limits of what waits for its batch to become full, of all users together. */
const WAITING = { messages: 6000, bytes: 12_000_000 };
/** Transactions at once: the database works on one while the next is read. */
const AT_ONCE = 3;

interface Batch {
  items: Prepared[];
  messages: number;
  bytes: number;
}

export interface Saver {
  add(userId: string, item: Prepared): Promise<void>;
  /** Saves what waits. @throws what a transaction threw */
  end(): Promise<void>;
  /** Resolves when no transaction runs any more, whatever became of them. */
  settle(): Promise<unknown>;
}

export function createSaver({ db, isDry, onProgress }: Target, policy: SavePolicy, report: Report): Saver {
  const running = new Set<Promise<void>>();
  const waiting = new Map<string, Batch>();
  const all = { messages: 0, bytes: 0 };
  return { add, end, settle: () => Promise.allSettled(running) };

  async function add(userId: string, item: Prepared): Promise<void> {
    const before = waiting.get(userId);
    if (before && isFull(before, item)) await flush(userId, before);
    const batch = waiting.get(userId) ?? { items: [], messages: 0, bytes: 0 };
    waiting.set(userId, batch);
    batch.items.push(item);
    batch.messages += item.messages.length;
    batch.bytes += item.size;
    all.messages += item.messages.length;
    all.bytes += item.size;
    while (all.messages > WAITING.messages || all.bytes > WAITING.bytes) await flushLargest();
  }

  async function end(): Promise<void> {
    for (const [userId, batch] of waiting) await flush(userId, batch);
    await Promise.all(running);
  }

  async function flushLargest(): Promise<void> {
    const [[userId, batch] = []] = [...waiting].toSorted(([, a], [, b]) => b.bytes - a.bytes);
    if (userId !== undefined && batch) await flush(userId, batch);
  }

  async function flush(userId: string, batch: Batch): Promise<void> {
    waiting.delete(userId);
    all.messages -= batch.messages;
    all.bytes -= batch.bytes;
    // One that fails stays among them, so that anyone who waits next throws its error.
    const job = save(userId, batch.items).then(() => void running.delete(job));
    job.catch(() => undefined);
    running.add(job);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }

  async function save(userId: string, items: readonly Prepared[]): Promise<void> {
    const outcomes = await (isDry ? foreseeOutcomes : saveConvos)(db, userId, items, policy);
    for (const [at, item] of items.entries()) count(report, item, outcomes[at]);
    onProgress?.(report);
  }
}

function isFull({ items, messages, bytes }: Batch, next: Prepared): boolean {
  return (
    items.length >= BATCH.convos || messages + next.messages.length > BATCH.messages || bytes + next.size > BATCH.bytes
  );
}

function count(report: Report, item: Prepared, outcome: ImportItem | undefined): void {
  const all = item.messages.length;
  skip(report.messages, 'without an id or repeated', item.droppedMessages);
  if (outcome?.outcome === 'skipped') {
    const why = outcome.reason.replaceAll('_', ' ');
    skip(report.conversations, why);
    return skip(report.messages, `of a conversation that is skipped: ${why}`, all);
  }
  const added = outcome === undefined || outcome.outcome === 'present' ? 0 : outcome.messages;
  report.messages.written += added;
  report.messages.present += all - added;
  if (outcome?.outcome === 'imported') report.conversations.written += 1;
  else report.conversations.present += 1;
}

/** As `saveConvos` of conversations that keep their ids would tell it; writes nothing. */
async function foreseeOutcomes(db: Db, userId: string, items: readonly Prepared[]): Promise<ImportItem[]> {
  const ids = items.map(({ convo }) => idHere(userId, convo.id, convo.id));
  const isOne = (column: typeof convos.id | typeof messages.convoId) => sql`${column} = any(${sql.param(ids)}::uuid[])`;
  const [rows, said] = await Promise.all([
    db.query
      .select({ id: convos.id, isDeleted: sql<boolean>`${convos.deletedAt} is not null` })
      .from(convos)
      .where(and(eq(convos.userId, userId), isOne(convos.id))),
    db.query
      .select({ id: messages.id })
      .from(messages)
      .where(and(eq(messages.userId, userId), isOne(messages.convoId))),
  ]);
  const known = new Map(rows.map(({ id, isDeleted }) => [id, isDeleted]));
  const present = new Set(said.map(({ id }) => id));
  return items.map(({ index, convo, messages: own, dropped }, at) => {
    const conversationId = ids[at] ?? '';
    const { title } = convo;
    if (known.get(conversationId)) return { index, title, outcome: 'skipped', reason: 'in_bin' };
    const missing = own.filter(({ message }) => !present.has(idHere(userId, message.id, convo.id, message.id)));
    if (!known.has(conversationId))
      return { index, title, outcome: 'imported', conversationId, messages: own.length, dropped };
    if (missing.length === 0) return { index, title, outcome: 'present', conversationId };
    return { index, title, outcome: 'extended', conversationId, messages: missing.length, dropped };
  });
}

function idHere(userId: string, own: string, ...from: string[]): string {
  return Id.safeParse(own).data ?? derivedId('import', userId, ...from);
}
