import type { Tx } from '@parley/db/client';
import { messageAttachments, messageToolFiles, type Message, type MessagePart } from '@parley/schema/messages/messages';
import { sql } from 'drizzle-orm';

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Notes in the transaction that saves a reply which files its tools have made, and those that stand among its parts. A
 * tool does not know the reply that its call is a part of: until then its files expire after an hour.
 */
export function noteOutputUses(
  tx: Tx,
  userId: string,
  messageId: string,
  parts: readonly MessagePart[],
): Promise<void> {
  return noteUses(tx, userId, [{ id: messageId, parts: [...parts] }]);
}

/**
 * Notes in the transaction of messages that exist elsewhere already, such as imported ones, which files they use, those
 * of their tools included. Files that are gone or another user's stay mere names.
 */
export async function noteUses(
  tx: Tx,
  userId: string,
  messages: readonly (Pick<Message, 'parts'> & { id: string })[],
): Promise<void> {
  const uses = messages.flatMap(({ id, parts }) =>
    [...messageAttachments({ parts }), ...messageToolFiles({ parts })].flatMap(({ fileId }) =>
      UUID.test(fileId) ? { fileId, ref: id } : [],
    ),
  );
  if (uses.length === 0) return;
  const fileIds = uses.map(({ fileId }) => fileId);
  const refs = uses.map(({ ref }) => ref);
  // Locked in one order, as `attachFiles` does; a file that is deleted at this moment is waited for and left out.
  await tx.execute(sql`
    with held as (
      select id from files
      where user_id = ${userId} and id = any(${sql.param(fileIds)}::uuid[]) and context <> 'avatar'
      order by id for no key update
    ), kept as (
      update files set expires_at = null
      from held where files.user_id = ${userId} and files.id = held.id and expires_at is not null
    )
    insert into file_uses (user_id, file_id, kind, ref)
    select ${userId}::uuid, held.id, 'message', named.ref
    from unnest(${sql.param(fileIds)}::uuid[], ${sql.param(refs)}::text[]) as named (file_id, ref)
      join held on held.id = named.file_id
    on conflict do nothing`);
}
