// The pictures of an account and of its assistants, of an export of everything. Each passes the checks of an upload: it
// is decoded and written anew, so that nothing but a picture is kept, whatever the archive calls it.
import { users } from '@parley/db/tables/users';
import { assistants } from '@parley/db/tables/assistants';
import { avatarBytesMax } from '@parley/schema/files/file-limits';
import { becomesImage } from '@parley/schema/files/file-types';
import type { ArchiveLine } from '@parley/schema/transfer/results';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { ownedBy } from '../../assistants/assistants.ts';
import { setAssistantAvatar } from '../../assistants/avatar.ts';
import { saveSquareImage, setAvatar } from '../../files/avatar.ts';
import { detectType } from '../../files/detect-type.ts';
import { logError } from '../../platform/log-error.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import { itemsOf } from './items-of.ts';
import { readOthersOfFile, Time, type FileColumns } from './list-files.ts';
import { LISTS } from './open-archive.ts';
import { setColumns } from './restore-files.ts';
import { withUnpacked, type Skipped } from './unpack-file.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';

/** A line of `avatars.json`. */
const ExportedAvatar = z.object({
  /** Null for the picture of the account. */
  assistantId: z.string().min(1).max(256).nullable(),
  /** Whether a person chose it: the next sign-in by another site leaves it. */
  isChosen: z.boolean().catch(true),
  /** The name of its entry. */
  path: z.string().max(4096),
  /** Of its bytes, in hexadecimal. */
  sha256: z.string().max(64).nullish().catch(null),
  createdAt: Time,
  updatedAt: Time,
});
type ExportedAvatar = z.infer<typeof ExportedAvatar> & FileColumns;

/** Whose picture it becomes. `name` and `avatar` are null where there is none. */
interface Holder {
  /** Null for the account. */
  assistantId: string | null;
  name: string | null;
  avatar: string | null;
}

/**
 * Gives their pictures to the account and to the assistants that have none; one that was taken away from the account
 * stays away. `assistantIds` are the ids of assistants here, by those in the export.
 */
export async function* restoreAvatars(
  deps: FileSaverDeps,
  userId: string,
  zip: Zip,
  assistantIds: ReadonlyMap<string, string>,
): AsyncGenerator<ArchiveLine, void> {
  /** A list that names a holder again would have an entry unpacked for each line. */
  const tried = new Set<string | null>();
  for await (const value of itemsOf(zip, LISTS.avatars)) {
    const avatar = ExportedAvatar.safeParse(value).data;
    const id = avatar?.assistantId ? assistantIds.get(avatar.assistantId) : avatar?.assistantId;
    if (!avatar || id === undefined || tried.has(id)) continue;
    tried.add(id);
    const holder = await readHolder(deps, userId, id);
    if (holder) yield await restoreAvatar(deps, userId, zip, { ...avatar, others: readOthersOfFile(value) }, holder);
  }
}

async function readHolder(
  { db: { query } }: FileSaverDeps,
  userId: string,
  assistantId: string | null,
): Promise<Holder | null> {
  if (assistantId === null) {
    const [user] = await query.select({ avatar: users.avatar }).from(users).where(eq(users.id, userId));
    return user ? { assistantId, name: null, ...user } : null;
  }
  const [row] = await query.select().from(assistants).where(ownedBy(userId, assistantId));
  return row ? { assistantId, name: row.name, avatar: row.metadata.avatar ?? null } : null;
}

async function restoreAvatar(
  deps: FileSaverDeps,
  userId: string,
  zip: Zip,
  avatar: ExportedAvatar,
  holder: Holder,
): Promise<ArchiveLine> {
  const name = holder.name ? `avatar.png (${holder.name})` : 'avatar.png';
  if (holder.avatar !== null) return { kind: 'file', name, outcome: 'present' };
  const maxBytes = avatarBytesMax(deps.config.files.limits);
  const keep = ({ path }: { path: string }) => keepAvatar(deps, userId, path, avatar, holder);
  const left = await withUnpacked(deps.config, zip, avatar, maxBytes, keep).catch((error: unknown): Skipped => {
    logError(deps.log, error, { event: 'import.failed', userId });
    return { reason: 'failed' };
  });
  return left ? { kind: 'file', name, outcome: 'skipped', ...left } : { kind: 'file', name, outcome: 'imported' };
}

/** Null once the holder has it. */
async function keepAvatar(
  deps: FileSaverDeps,
  userId: string,
  path: string,
  avatar: ExportedAvatar,
  { assistantId }: Holder,
): Promise<Skipped | null> {
  if (!becomesImage(await detectType(path, '', ''))) return { reason: 'type' };
  const file = await saveSquareImage(deps, userId, path);
  if (assistantId === null) await setAvatar(deps, file, avatar.isChosen ? 'user' : 'site');
  else await setAssistantAvatar(deps, userId, assistantId, file, { keepsTime: true });
  await setColumns(deps, file, avatar);
  return null;
}
