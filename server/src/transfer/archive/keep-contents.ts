// Keeps files whose contents stand within a file of conversations: pictures as `data:` addresses, texts of documents.
import { Readable } from 'node:stream';
import { MEGABYTE } from '@parley/schema/files/file-limits';
import { presentAttachment } from '../../files/present.ts';
import { NoSpace } from '../../files/quota.ts';
import { cleanName } from '../../files/upload/receive-upload.ts';
import { Refusal } from '../../platform/errors.ts';
import { receive, withArrival } from '../../storage/arrivals.ts';
import type { KeepPicture } from '../stored-links.ts';
import { saveUnpacked, type Outcome } from './restore-files.ts';
import type { FileSaverDeps } from '../../files/save-file.ts';

const DATA = /^data:image\/([a-z0-9.+-]{1,40});base64,/i;
const PICTURE_MAX = 50 * MEGABYTE;

/** What is refused, as by the quota, keeps its name in the text. */
export function createPictureStore(deps: FileSaverDeps, userId: string): KeepPicture {
  return async (address, name) => {
    const [head, type = ''] = DATA.exec(address.slice(0, 100)) ?? [];
    if (head === undefined || address.length > PICTURE_MAX) return undefined;
    const bytes = Buffer.from(address.slice(head.length), 'base64');
    if (bytes.length === 0) return undefined;
    const outcome = await keepContents(deps, userId, bytes, name ?? `picture.${type.split('+', 1)[0]}`);
    return 'row' in outcome ? presentAttachment(outcome.row) : undefined;
  };
}

/** Keeps it as an upload that nobody has sent yet. */
export async function keepContents(
  deps: FileSaverDeps,
  userId: string,
  bytes: Uint8Array,
  name: string,
): Promise<Outcome> {
  const file = { name: cleanName(name), mime: '', context: 'message_attachment' } as const;
  try {
    return await withArrival(deps.config, async (path) => {
      const arrived = await receive(Readable.from([bytes], { objectMode: false }), path);
      return saveUnpacked(deps, userId, { path, ...arrived }, file);
    });
  } catch (error) {
    if (error instanceof NoSpace) return { reason: error.problem.type };
    if (error instanceof Refusal) return { reason: 'unreadable_image' };
    throw error;
  }
}
