// What uses files: messages, folders, assistants, sets and skills.
import type { Db, Query } from '@parley/db/client';
import { skills } from '@parley/db/tables/automation/skills';
import { assistants } from '@parley/db/tables/assistants';
import { convos } from '@parley/db/tables/convos';
import { fileSets, fileUses } from '@parley/db/tables/files';
import { folders } from '@parley/db/tables/folders';
import { messages } from '@parley/db/tables/messages';
import type { FileUses, MessageUse, UseCounts } from '@parley/schema/files/stored-file';
import { and, asc, countDistinct, desc, eq, isNull, sql } from 'drizzle-orm';
import { isAmong } from '../../convos/rows.ts';
import { assertFile } from '../files.ts';
import { usedMessageId } from '../sweep.ts';

/** What uses a file; what is in the trash is left out. @throws Refusal `not_found` */
export async function listUses(db: Db, userId: string, fileId: string): Promise<FileUses> {
  await assertFile(db, userId, fileId);
  return { messages: await messageUses(db.query, userId, fileId), others: await otherUses(db.query, userId, fileId) };
}

async function messageUses(query: Query, userId: string, fileId: string): Promise<MessageUse[]> {
  return query
    .select({ conversationId: convos.id, title: convos.title, messageId: messages.id })
    .from(fileUses)
    .innerJoin(messages, isUsingMessage())
    .innerJoin(convos, isListedConvo())
    .where(and(eq(fileUses.userId, userId), eq(fileUses.fileId, fileId)))
    .orderBy(desc(messages.seq));
}

function otherUses(query: Query, userId: string, fileId: string): Promise<FileUses['others']> {
  const name = sql<string>`coalesce(${folders.name}, ${assistants.name}, ${fileSets.name}, '')`;
  const kind = sql<'folder' | 'assistant' | 'set'>`${fileUses.kind}`;
  const isNamed = sql`coalesce(${folders.id}, ${fileSets.id})::text = ${fileUses.ref} or ${assistants.id} = ${fileUses.ref}`;
  return query
    .select({ kind, id: fileUses.ref, name })
    .from(fileUses)
    .leftJoin(folders, isUsingFolder())
    .leftJoin(assistants, isUsingAssistant())
    .leftJoin(fileSets, isUsingSet())
    .where(and(eq(fileUses.userId, userId), eq(fileUses.fileId, fileId), isNamed))
    .orderBy(asc(fileUses.kind), asc(name), asc(fileUses.ref));
}

/** How many chats, folders, assistants, sets and skills use any of these files; what is in the trash is left out. */
export async function countUses({ query }: Db, userId: string, ids: readonly string[]): Promise<UseCounts> {
  const [counts] = await query
    .select({
      chats: countDistinct(convos.id),
      folders: countDistinct(folders.id),
      assistants: countDistinct(assistants.id),
      sets: countDistinct(fileSets.id),
      skills: countDistinct(skills.id),
    })
    .from(fileUses)
    .leftJoin(messages, isUsingMessage())
    .leftJoin(convos, isListedConvo())
    .leftJoin(folders, isUsingFolder())
    .leftJoin(assistants, isUsingAssistant())
    .leftJoin(fileSets, isUsingSet())
    .leftJoin(skills, isUsingSkill())
    .where(and(eq(fileUses.userId, userId), isAmong(fileUses.fileId, ids)));
  return counts ?? { chats: 0, folders: 0, assistants: 0, sets: 0, skills: 0 };
}

// In a query of uses: what uses the file.

function isUsingMessage() {
  const isIt = and(eq(messages.userId, fileUses.userId), eq(messages.id, usedMessageId()));
  return and(eq(fileUses.kind, 'message'), isIt, isNull(messages.deletedAt));
}

/** Of the message. */
function isListedConvo() {
  const isIt = and(eq(convos.userId, messages.userId), eq(convos.id, messages.convoId));
  return and(isIt, isNull(convos.deletedAt), isNull(convos.temporaryUntil));
}

function isUsingFolder() {
  const isIt = and(eq(folders.userId, fileUses.userId), eq(sql`${folders.id}::text`, fileUses.ref));
  return and(eq(fileUses.kind, 'folder'), isIt);
}

function isUsingAssistant() {
  const isIt = and(eq(assistants.userId, fileUses.userId), eq(assistants.id, fileUses.ref));
  return and(eq(fileUses.kind, 'assistant'), isIt, isNull(assistants.deletedAt));
}

function isUsingSet() {
  const isIt = and(eq(fileSets.userId, fileUses.userId), eq(sql`${fileSets.id}::text`, fileUses.ref));
  return and(eq(fileUses.kind, 'set'), isIt);
}

function isUsingSkill() {
  const isIt = and(eq(skills.userId, fileUses.userId), eq(sql`${skills.id}::text`, fileUses.ref));
  return and(eq(fileUses.kind, 'skill'), isIt, isNull(skills.deletedAt));
}
