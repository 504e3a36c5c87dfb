// Writes the questions and the replies of a question to several models.
import type { Tx } from '@parley/db/client';
import { messages } from '@parley/db/tables/messages';
import type { Reason } from '@parley/schema/reasons';
import { and, eq, isNull } from 'drizzle-orm';
import { isAmong } from '../../convos/rows.ts';
import { attachFiles } from '../../files/attach-files.ts';
import { assertSupports } from '../../messages/capabilities.ts';
import type { MessageRow } from '../../messages/present.ts';
import { refuse } from '../../platform/errors.ts';
import { askedQuestion, denyWaiting, replyTo, type Ask, type AskMessages } from '../ask-messages.ts';

/** A column as it is written: its reply is empty, or has failed already. */
export interface WrittenColumn {
  ask: Ask;
  refused: Reason | null;
}

type NewMessage = typeof messages.$inferInsert;

/**
 * Writes them in one statement, the replies in the order of the columns.
 * @throws Refusal `not_found` or `conflict`
 */
export async function writeColumnMessages(tx: Tx, columns: readonly WrittenColumn[]): Promise<AskMessages[]> {
  const known = await readParents(tx, columns);
  for (const parent of known.values()) if (!parent.isCreatedByUser) await denyWaiting(tx, parent);
  const rows = new Map<string, NewMessage>();
  const questions: string[] = [];
  for (const { ask, refused } of columns) {
    const { target } = ask.input;
    if (target.kind === 'send') {
      const parent = target.parentMessageId === null ? null : found(known, target.parentMessageId);
      if (!rows.has(target.messageId)) {
        const attached = await attachFiles(tx, ask.userId, target.messageId, target.files ?? []);
        rows.set(target.messageId, askedQuestion(ask, target, parent ? parent.depth + 1 : 0, attached));
      }
      const depth = parent ? parent.depth + 1 : 0;
      questions.push(target.messageId);
      rows.set(ask.input.replyId, replyOf(ask, { id: target.messageId, depth }, refused));
    } else if (target.kind === 'regenerate') {
      assertSupports(ask.endpoint.type, 'regenerate');
      const question = found(known, target.parentMessageId);
      if (!question.isCreatedByUser) refuse({ type: 'conflict', text: 'Only a question can be answered' });
      questions.push(question.id);
      rows.set(ask.input.replyId, replyOf(ask, question, refused));
    }
  }
  const written = await tx
    .insert(messages)
    .values([...rows.values()])
    .onConflictDoNothing()
    .returning();
  if (written.length < rows.size) refuse({ type: 'conflict', text: 'This message id is taken' });
  const all = new Map([...known, ...written.map((row): [string, MessageRow] => [row.id, row])]);
  return columns.map(({ ask }, place) => ({
    request: found(all, questions[place] ?? ''),
    reply: found(all, ask.input.replyId),
  }));
}

function replyOf(ask: Ask, request: { id: string; depth: number }, refused: Reason | null): NewMessage {
  const reply = replyTo(ask, request);
  return refused ? { ...reply, unfinished: false, finishReason: 'incomplete', reason: refused } : reply;
}

/** The messages that the columns follow, or answer again. */
async function readParents(tx: Tx, columns: readonly WrittenColumn[]): Promise<Map<string, MessageRow>> {
  const [first] = columns;
  const ids = columns.flatMap(({ ask: { input } }) =>
    input.target.kind === 'send' || input.target.kind === 'regenerate' ? (input.target.parentMessageId ?? []) : [],
  );
  if (!first || ids.length === 0) return new Map();
  const { userId, input } = first.ask;
  const rows = await tx
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.userId, userId),
        eq(messages.convoId, input.conversationId),
        isAmong(messages.id, ids),
        isNull(messages.deletedAt),
      ),
    );
  return new Map(rows.map((row) => [row.id, row]));
}

function found(rows: ReadonlyMap<string, MessageRow>, id: string): MessageRow {
  return rows.get(id) ?? refuse({ type: 'not_found', what: 'message' });
}
