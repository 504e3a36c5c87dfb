// Images of people who sign in by another site. They are fetched once, through the egress guard, and kept as avatars:
// a browser that loaded them from that site would tell it when and where its user reads.
import { createHash } from 'node:crypto';
import { users } from '@parley/db/tables/users';
import { avatarBytesMax } from '@parley/schema/files/file-limits';
import { eq } from 'drizzle-orm';
import type { Egress } from '../platform/egress.ts';
import { createKeyedMutex } from '../platform/semaphore.ts';
import { isChosen } from '../auth/avatar-choice.ts';
import { receive, withArrival } from '../storage/arrivals.ts';
import { saveAvatar } from './avatar.ts';
import { findByTemporaryId, type FileSaverDeps } from './save-file.ts';

export interface SocialAvatars {
  /** Fetches the image in the background, unless it is the avatar already, or the user chose one or none. */
  update(userId: string, image: string | null): void;
  /** Gives up what is being fetched. */
  close(): Promise<void>;
}

interface Dependencies extends FileSaverDeps {
  egress: Pick<Egress, 'download'>;
  onFault: (error: unknown) => void;
}

const TIMEOUT_MS = 10_000;
/** At once: an image is never worth more. */
const RUNNING_MAX = 8;

export function createSocialAvatars(deps: Dependencies): SocialAvatars {
  const running = new Set<Promise<void>>();
  const lock = createKeyedMutex();
  const closing = new AbortController();
  return {
    update(userId, image) {
      if (image === null || running.size >= RUNNING_MAX || closing.signal.aborted) return;
      const work = inTurn(userId, () => fetchAvatar(deps, userId, image, closing.signal))
        // Without an image the first letters of the name are shown; the next sign-in tries again.
        .catch((error: unknown) => (closing.signal.aborted ? undefined : deps.onFault(error)))
        .finally(() => running.delete(work));
      running.add(work);
    },
    async close() {
      closing.abort();
      await Promise.all(running);
    },
  };

  /** One after the other for each person, so that an earlier sign-in does not bring a former image back. */
  async function inTurn(userId: string, work: () => Promise<void>): Promise<void> {
    const unlock = await lock(userId);
    try {
      await work();
    } finally {
      unlock();
    }
  }
}

async function fetchAvatar(deps: Dependencies, userId: string, image: string, signal: AbortSignal): Promise<void> {
  const { db, config, egress } = deps;
  const mark = markOf(image);
  const [user] = await db.query.select({ avatar: users.avatar }).from(users).where(eq(users.id, userId));
  if (!user || isChosen(user.avatar) || (await findByTemporaryId(db.query, userId, mark))) return;
  const maxBytes = avatarBytesMax(config.files.limits);
  const bytes = await egress.download(image, { maxBytes, timeoutMs: TIMEOUT_MS, signal });
  await withArrival(config, async (path) => {
    await receive([bytes], path);
    await saveAvatar(deps, userId, path, 'site', mark);
  });
}

/** Another address is another image. */
function markOf(image: string): string {
  return `picture:${createHash('sha256').update(image).digest('hex')}`;
}
