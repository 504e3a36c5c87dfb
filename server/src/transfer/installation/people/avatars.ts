// Images of people whose bytes lie beside the export.
import type { Db } from '@parley/db/client';
import { users } from '@parley/db/tables/users';
import { and, eq, isNull } from 'drizzle-orm';
import { saveAvatar } from '../../../files/avatar.ts';
import { Refusal } from '../../../platform/errors.ts';
import { readInstallationBytes } from '../bytes.ts';
import { skip, type Count } from '../report.ts';
import type { People, Target } from '../target.ts';

/** A person who has an image here keeps it. */
export async function importAvatars(
  target: Target,
  folder: string,
  given: readonly { _id: string; avatar?: string | undefined }[],
  people: People,
  count: Count,
): Promise<void> {
  for (const { _id, avatar } of given) {
    const userId = people.get(_id);
    if (!avatar || !userId) continue;
    count.read += 1;
    const path = await readInstallationBytes(folder, avatar);
    if (/^https?:/i.test(avatar)) skip(count, 'at another site, which brings it at the next sign-in');
    else if (path === null) skip(count, 'their bytes are not in the folder');
    else if (!target.isDry && !(await hasNone(target.db, userId))) count.present += 1;
    else if (target.isDry || (await saveAvatarFile(target, userId, path, avatar))) count.written += 1;
    else skip(count, 'no picture that can be read');
  }
}

async function saveAvatarFile(target: Target, userId: string, path: string, avatar: string): Promise<boolean> {
  try {
    await saveAvatar(target, userId, path, avatar.includes('manual=true') ? 'user' : 'site');
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function hasNone({ query }: Db, userId: string): Promise<boolean> {
  return (await query.$count(users, and(eq(users.id, userId), isNull(users.avatar)))) > 0;
}
