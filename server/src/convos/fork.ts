import type { Db, Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import { TITLE_MAX, type Convo, type Fork, type ForkConvo } from '@parley/schema/convos';
import { and, eq, sql } from 'drizzle-orm';
import { refuse } from '../errors.ts';
import { copyMessages } from '../messages/copy.ts';
import { listHung } from '../messages/hang-again.ts';
import type { Hung } from '../messages/hang.ts';
import { assertNotWritten } from '../messages/writing.ts';
import { nextChange } from './changes.ts';
import { presentConvo, type ConvoRow } from './present.ts';
import { assertConvo } from './rows.ts';

/**
 * A new conversation with copies of the branch that ends in a message, or of the newest one. The same call again gives the first copy.
 * @throws Refusal `not_found`, `conflict` when the id is taken, `concurrent` while the branch is being written
 */
export async function forkConvo(db: Db, userId: string, input: ForkConvo): Promise<Convo> {
  return db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const known = await findFork(tx, userId, input);
    if (known) return presentConvo(known);
    const source = await assertConvo(tx, userId, input.conversationId);
    const place = { userId, convoId: source.id };
    const messages = await listHung(tx, place);
    const messageId = input.messageId ?? newestEnd(messages);
    const branch = branchTo(messageId, messages);
    await assertNotWritten(tx, source, new Set(branch));
    const fork = await insertFork(tx, source, { ...input, messageId }, changeSeq);
    await copyMessages(tx, userId, branch, fork.id);
    return presentConvo(fork);
  });
}

async function findFork(tx: Tx, userId: string, input: ForkConvo): Promise<ConvoRow | null> {
  const [row] = await tx
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), eq(convos.id, input.forkId)));
  if (!row) return null;
  const { conversationId, messageId } = row.forkedFrom ?? {};
  const isSame = conversationId === input.conversationId && (input.messageId ?? messageId) === messageId;
  if (!isSame) refuse({ type: 'conflict', text: 'This conversation id is taken' });
  return row.deletedAt === null ? row : refuse({ type: 'not_found', what: 'convo' });
}

/** The end of the branch that is seen by who never turned to another one. */
function newestEnd(messages: readonly Hung[]): string {
  const living = messages.filter(({ isDeleted }) => !isDeleted);
  const newestBelow = new Map(living.map(({ parentId, id }) => [parentId, id]));
  let end: string | undefined;
  for (let next = newestBelow.get(null); next; next = newestBelow.get(next)) end = next;
  return end ?? refuse({ type: 'not_found', what: 'message' });
}

/** The ids of a branch from its root to a message, from all messages, oldest first. */
function branchTo(id: string, messages: readonly Hung[]): string[] {
  const living = new Map(messages.flatMap((message) => (message.isDeleted ? [] : [[message.id, message]])));
  const branch = new Set<string>();
  let at = living.get(id);
  while (at && !branch.has(at.id)) {
    branch.add(at.id);
    at = at.parentId === null ? undefined : living.get(at.parentId);
  }
  if (branch.size === 0) refuse({ type: 'not_found', what: 'message' });
  return [...branch].toReversed();
}

async function insertFork(tx: Tx, source: ConvoRow, input: ForkConvo & Fork, changeSeq: number): Promise<ConvoRow> {
  const { userId, titledBy, endpoint, endpointType, model, settings } = source;
  const { conversationId, messageId, forkId } = input;
  const [row] = await tx
    .insert(convos)
    .values({
      userId,
      id: forkId,
      title: source.title === null ? null : titleOfCopy(source.title),
      titledBy,
      endpoint,
      endpointType,
      model,
      settings,
      forkedFrom: { conversationId, messageId },
      changeSeq,
      messagesSeq: changeSeq,
      updatedAt: sql`now()`,
    })
    .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

/** "Title" becomes "Title (2)", and that "Title (3)". */
export function titleOfCopy(title: string): string {
  const [, plain = title, number = '1'] = /^(.*\S) \((\d{1,4})\)$/su.exec(title) ?? [];
  const end = ` (${Number(number) + 1})`;
  return plain.slice(0, TITLE_MAX - end.length).toWellFormed() + end;
}
