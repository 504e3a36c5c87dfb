// Drafts and waiting questions of an export of everything. They come after the conversations, which they name.
import type { Db } from '@parley/db/client';
import { rowReader } from '@parley/db/travelling';
import { ATTACHMENTS_MAX, TEXT_MAX } from '@parley/schema/chat/ask';
import { isEmptyDraft } from '@parley/schema/chat/draft-content';
import { DraftFile, NEW_CHAT } from '@parley/schema/chat/drafts';
import { QueuedTarget } from '@parley/schema/chat/queue-inputs';
import { cleanText } from '@parley/schema/clean-text';
import { Id } from '@parley/schema/ids';
import type { Attachment } from '@parley/schema/messages/messages';
import type { CountedKind, Counts } from '@parley/schema/transfer/results';
import * as z from 'zod';
import { restoreDraft } from '../../drafts/drafts.ts';
import { derivedId } from '../../platform/derived-id.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import { restoreQueued } from '../../queue/queue.ts';
import { relinkIds, type StoredLinks } from '../stored-links.ts';
import { findConvo } from './find-restored.ts';
import { takeItems } from './items-of.ts';
import { LISTS } from './open-archive.ts';

const text = z.string().max(TEXT_MAX).overwrite(cleanText);
const files = z.array(DraftFile).max(ATTACHMENTS_MAX);
const readDraft = rowReader('drafts', { text, files }, ['key']);
const readQueued = rowReader('queuedAsks', { text, files, target: QueuedTarget.nullable() }, ['id', 'convoId']);
const DraftKey = z.object({ key: z.string().min(1).max(256) });
const QueuedKeys = z.object({ id: z.string().min(1).max(256), convoId: z.string().min(1).max(256) });

/** Adds those that are not here; resolves to how many of each kind. */
export async function restoreUnsent(
  db: Db,
  userId: string,
  zip: Zip,
  stored: StoredLinks,
): Promise<Pick<Record<CountedKind, Counts>, 'drafts' | 'queue'>> {
  const drafts = await takeItems(zip, LISTS.drafts, takeDraft);
  return { drafts, queue: await takeItems(zip, LISTS.queue, takeQueued) };

  async function takeDraft(value: unknown): Promise<keyof Counts> {
    const { data } = DraftKey.safeParse(value);
    const { text: typed, files: attached = [], editedAt = new Date().toISOString(), ...others } = readDraft(value);
    if (!data || typed === undefined) return 'skipped';
    const key = data.key === NEW_CHAT ? NEW_CHAT : await findConvo(db, userId, data.key);
    const draft = { ...others, text: typed, files: filesHere(attached), editedAt };
    return key === undefined || isEmptyDraft(draft) ? 'skipped' : restoreDraft(db, { ...draft, userId, key });
  }

  async function takeQueued(value: unknown): Promise<keyof Counts> {
    const { data } = QueuedKeys.safeParse(value);
    const { text: typed, files: attached = [], target, position = 0, ...others } = readQueued(value);
    if (!data || typed === undefined) return 'skipped';
    const convoId = await findConvo(db, userId, data.convoId);
    if (convoId === undefined) return 'skipped';
    // As the message of the question would be called, once it is asked.
    const made = derivedId('import', userId, data.convoId, data.id);
    const own = Id.safeParse(data.id).data ?? made;
    const id = convoId === data.convoId ? own : made;
    const asked = target && { ...target, settings: relinkIds(target.settings, stored) };
    const row = { ...others, text: typed, files: filesHere(attached), position, userId, id, convoId };
    return restoreQueued(db, [own, made], { ...row, ...(asked !== undefined && { target: asked }) });
  }

  function filesHere(attached: readonly Attachment[]): Attachment[] {
    return attached.flatMap(({ fileId }) => stored.file(fileId) ?? []);
  }
}
