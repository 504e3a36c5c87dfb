// The conversation of an ask, inside its transaction.
import type { Tx } from '@parley/db/client';
import { convos } from '@parley/db/tables/convos';
import type { AskInput } from '@parley/schema/chat/ask';
import type { Column } from '@parley/schema/chat/columns';
import { and, eq, sql } from 'drizzle-orm';
import { endOfNew, endOfShown } from '../../convos/temporary.ts';
import type { ConvoRow } from '../../convos/present.ts';
import { ownFolder } from '../../folders/folders.ts';
import { refuse } from '../../platform/errors.ts';
import type { Ask } from './ask.ts';

export async function findConvo(tx: Tx, userId: string, id: string): Promise<ConvoRow | undefined> {
  const [row] = await tx
    .select()
    .from(convos)
    .where(and(eq(convos.userId, userId), eq(convos.id, id)));
  return row;
}

/** Lists what else is written of the conversation. */
type More = Partial<Pick<ConvoRow, 'runsLeft' | 'columns'>>;

/**
 * Opens the conversation and marks it as running. A late send does not restore a deleted conversation; it does
 * unarchive an archived one.
 */
export async function openConvo(
  tx: Tx,
  ask: Ask,
  before: ConvoRow | undefined,
  changeSeq: number,
  more: More = {},
): Promise<ConvoRow> {
  const { userId, input, endpoint, model, settings, kept } = ask;
  if (before && !isOpen(before)) refuse({ type: 'not_found', what: 'convo' });
  if (before?.running) refuseBusy(input);
  const next = kept ?? { endpoint: endpoint.name, endpointType: endpoint.type, model, settings };
  const keepsOwn = input.keepsModel || (input.keeps && !kept);
  const chat = {
    running: input.generationId,
    isArchived: false,
    changeSeq,
    messagesSeq: changeSeq,
    ...(before?.columns && input.column !== undefined && { columns: withReply(before.columns, ask) }),
    ...more,
  };
  const [row] = before
    ? await tx
        .update(convos)
        .set({ ...chat, ...(!keepsOwn && next), temporaryUntil: endOfShown(), updatedAt: sql`now()` })
        .where(and(eq(convos.userId, userId), eq(convos.id, input.conversationId)))
        .returning()
    : await tx
        .insert(convos)
        .values({ userId, id: assertNew(input), ...placeOfNew(userId, input), ...next, ...chat })
        .returning();
  return row ?? refuse({ type: 'not_found', what: 'convo' });
}

function isOpen({ deletedAt, temporaryUntil }: ConvoRow): boolean {
  return deletedAt === null && (temporaryUntil === null || Date.parse(temporaryUntil) > Date.now());
}

/** A temporary conversation is in no folder. */
function placeOfNew(userId: string, { folderId, isTemporary }: AskInput) {
  return {
    folderId: ownFolder(userId, isTemporary ? null : folderId),
    temporaryUntil: endOfNew(isTemporary),
  };
}

/** A question that has waited is sent again by its page: another one was before it. */
function refuseBusy({ target }: AskInput): never {
  if (target.kind !== 'send' || !target.hasWaited) refuse({ type: 'concurrent', limit: 1 });
  refuse({ type: 'conflict', text: 'Another question is being answered' });
}

/** Only a first send creates a conversation: any other target refers to one that is gone. */
function assertNew({ conversationId, target }: AskInput): string {
  const isFirst = target.kind === 'send' && target.parentMessageId === null;
  return isFirst ? conversationId : refuse({ type: 'not_found', what: 'convo' });
}

/** Gives the columns, of which one has the new reply and who gives it; the place after the last is a new one. */
function withReply(columns: readonly Column[], { input, endpoint, model, settings }: Ask): Column[] {
  const { column = columns.length, replyId } = input;
  return columns.toSpliced(column, 1, { endpoint: endpoint.name, model, settings, replyId });
}
