// The images of assistants: files like the avatars of users, used by the assistant.
import type { Tx } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { files, fileUses } from '@parley/db/tables/files';
import type { Assistant } from '@parley/schema/assistants/assistants';
import { and, eq, sql } from 'drizzle-orm';
import { nextChange } from '../convos/changes.ts';
import { saveSquareImage } from '../files/avatar.ts';
import type { FileSaverDeps } from '../files/save-file.ts';
import { filePath, type FileRow } from '../files/present.ts';
import { refuse } from '../platform/errors.ts';
import { endUses } from '../files/attach-files.ts';
import { assertAssistant, ownedBy, withFileIds } from './assistants.ts';

/**
 * Makes the image at `path` the avatar of the assistant.
 * @throws Refusal `not_found`; `invalid_input` for a file that is no image; `storage_full`
 */
export async function saveAssistantAvatar(
  deps: FileSaverDeps,
  userId: string,
  assistantId: string,
  path: string,
): Promise<Assistant> {
  await assertAssistant(deps.db.query, userId, assistantId);
  const file = await saveSquareImage(deps, userId, path);
  return setAssistantAvatar(deps, userId, assistantId, file);
}

export function removeAssistantAvatar(
  deps: Pick<FileSaverDeps, 'db'>,
  userId: string,
  assistantId: string,
): Promise<Assistant> {
  return setAssistantAvatar(deps, userId, assistantId, null);
}

/**
 * Makes the square image the avatar of the assistant in place of the former one; null leaves it without. `keepsTime`: it
 * counts as no change of the assistant by its owner.
 * @throws Refusal `not_found`
 */
export function setAssistantAvatar(
  { db }: Pick<FileSaverDeps, 'db'>,
  userId: string,
  assistantId: string,
  file: FileRow | null,
  { keepsTime = false }: { keepsTime?: boolean } = {},
): Promise<Assistant> {
  return db.query.transaction(async (tx) => {
    const changeSeq = await nextChange(tx, userId);
    const { metadata } = await assertAssistant(tx, userId, assistantId);
    const { avatar: _former, avatar_source: _source, ...rest } = metadata;
    await endUses(tx, userId, { kind: 'avatar', ref: assistantId });
    if (file) await addAvatarUse(tx, assistantId, file);
    const [row] = await tx
      .update(assistants)
      .set({
        metadata: file ? { ...rest, avatar: filePath(file), avatar_source: file.source } : rest,
        changeSeq,
        ...(!keepsTime && { updatedAt: sql`now()` }),
      })
      .where(ownedBy(userId, assistantId))
      .returning();
    return row ? withFileIds(tx, row) : refuse({ type: 'not_found', what: 'assistant' });
  });
}

async function addAvatarUse(tx: Tx, ref: string, { userId, id: fileId }: FileRow): Promise<void> {
  await tx
    .update(files)
    .set({ expiresAt: null })
    .where(and(eq(files.userId, userId), eq(files.id, fileId)));
  await tx.insert(fileUses).values({ userId, fileId, kind: 'avatar', ref }).onConflictDoNothing();
}
