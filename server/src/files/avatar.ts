// Avatars: a square image of a user, kept like other files and shown by its address on this server.
import type { Tx } from '@parley/db/client';
import { files, fileUses } from '@parley/db/tables/files';
import { users } from '@parley/db/tables/users';
import { becomesImage } from '@parley/schema/files/file-types';
import { and, eq, ne, notExists, sql } from 'drizzle-orm';
import { CHOSEN, NONE_CHOSEN } from '../auth/avatar-choice.ts';
import { nextHint } from '../convos/changes.ts';
import { refuse } from '../platform/errors.ts';
import { hashFile, withArrival } from '../storage/arrivals.ts';
import { detectType } from './detect-type.ts';
import { writeAvatar } from './images.ts';
import { saveFile, createFileSaver, type FileSaverDeps } from './save-file.ts';
import { filePath, type FileRow } from './present.ts';

/**
 * Makes the image at `path` the user's avatar and returns its address. One that comes from a `site` replaces none
 * that the user chose. `temporaryId` marks where it comes from.
 * @throws Refusal `invalid_input` for a file that is no image; `storage_full`
 */
export async function saveAvatar(
  deps: FileSaverDeps,
  userId: string,
  path: string,
  by: 'user' | 'site',
  temporaryId: string | null = null,
): Promise<string> {
  return setAvatar(deps, await saveSquareImage(deps, userId, path, temporaryId), by);
}

/**
 * Keeps the centre square of the image at `path` as a file without a use.
 * @throws Refusal `invalid_input` for a file that is no image; `storage_full`
 */
export async function saveSquareImage(
  deps: FileSaverDeps,
  userId: string,
  path: string,
  temporaryId: string | null = null,
): Promise<FileRow> {
  const mime = await detectType(path, '', '');
  if (!becomesImage(mime)) refuse({ type: 'invalid_input', text: 'The avatar must be an image.' });
  const { imageOutputType: format } = deps.config.files;
  return withArrival(deps.config, async (image) => {
    const written = await writeAvatar(path, image, format);
    return saveFile(createFileSaver(deps), {
      ...written,
      userId,
      path: image,
      name: `avatar.${format}`,
      mime: `image/${format}`,
      context: 'avatar',
      temporaryId,
      hash: await hashFile(image),
    });
  });
}

/**
 * Makes the square image the avatar of its user in one transaction, and returns its address, as `saveAvatar` does. The
 * former one is deleted, and its bytes with the next sweep.
 */
export function setAvatar({ db }: Pick<FileSaverDeps, 'db'>, file: FileRow, by: 'user' | 'site'): Promise<string> {
  const { userId, id } = file;
  const url = `${filePath(file)}${by === 'user' ? CHOSEN : ''}`;
  return db.query.transaction(async (tx) => {
    await nextHint(tx, userId, 'settings');
    const isOpen = by === 'user' ? undefined : sql`coalesce(${users.avatar}, '') not like ${`%${CHOSEN}`}`;
    const [changed] = await tx
      .update(users)
      .set({ avatar: url, updatedAt: sql`now()` })
      .where(and(eq(users.id, userId), isOpen))
      .returning({ id: users.id });
    await tx.delete(files).where(and(isAvatarOf(tx, userId), changed ? ne(files.id, id) : eq(files.id, id)));
    if (!changed) return '';
    await tx
      .update(files)
      .set({ expiresAt: null })
      .where(and(eq(files.userId, userId), eq(files.id, id)));
    await tx.insert(fileUses).values({ userId, fileId: id, kind: 'avatar', ref: userId }).onConflictDoNothing();
    return url;
  });
}

/** The user has no avatar any more, also after the next sign-in by a site; its bytes go with the next sweep. */
export function removeAvatar({ db }: Pick<FileSaverDeps, 'db'>, userId: string): Promise<void> {
  return db.query.transaction(async (tx) => {
    await nextHint(tx, userId, 'settings');
    await tx
      .update(users)
      .set({ avatar: NONE_CHOSEN, updatedAt: sql`now()` })
      .where(eq(users.id, userId));
    await tx.delete(files).where(isAvatarOf(tx, userId));
    // Where an assistant has the same file, it keeps it.
    await tx
      .delete(fileUses)
      .where(and(eq(fileUses.userId, userId), eq(fileUses.kind, 'avatar'), eq(fileUses.ref, userId)));
  });
}

/** Those of assistants are not. */
function isAvatarOf(tx: Tx, userId: string) {
  const isOfAnother = tx
    .select({ one: sql`1` })
    .from(fileUses)
    .where(and(eq(fileUses.userId, files.userId), eq(fileUses.fileId, files.id), ne(fileUses.ref, userId)));
  return and(eq(files.userId, userId), eq(files.context, 'avatar'), notExists(isOfAnother));
}
