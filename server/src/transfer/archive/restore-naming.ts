// What an export of everything has after conversations, folders and files, which it names: schedules, which ask nothing
// before their person resumes them, what is remembered, and sets of files. Whether anything is remembered here stays as
// its owner has chosen.
import type { Db } from '@parley/db/client';
import { rowReader } from '@parley/db/travelling';
import { Id } from '@parley/schema/ids';
import {
  ScheduleFiles,
  ScheduleRule,
  ScheduleTarget,
  ScheduleText,
  ScheduleTitle,
} from '@parley/schema/schedules/schedules';
import type { MemoryScope } from '@parley/schema/settings/memory-mode';
import { MemoryText } from '@parley/schema/tools/memories';
import type { CountedKind, Counts } from '@parley/schema/transfer/results';
import * as z from 'zod';
import { restoreMemory } from '../../memory/memories.ts';
import { derivedId } from '../../platform/derived-id.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import { restoreSchedule } from '../../schedules/schedules.ts';
import { relinkIds, type StoredLinks } from '../stored-links.ts';
import { findConvo, findFolder } from './find-restored.ts';
import { takeItems } from './items-of.ts';
import { LISTS, type Archive } from './open-archive.ts';
import { restoreSets, restoreSetsOfFolders } from '../restore-sets.ts';
import { restoreSources } from './restore-assistants.ts';

const read = rowReader(
  'schedules',
  {
    title: ScheduleTitle,
    text: ScheduleText,
    files: ScheduleFiles,
    target: ScheduleTarget,
    cron: ScheduleRule.shape.cron.unwrap(),
    // A time to come, which other columns do not have.
    at: ScheduleRule.shape.at.unwrap(),
    timeZone: ScheduleRule.shape.timeZone,
  },
  ['id', 'folderId', 'convoId'],
);
const name = z.string().min(1).max(256);
const Named = z.object({ id: name, folderId: name.nullable().catch(null), convoId: name.nullable().catch(null) });

/** Adds what is not here; resolves to how many of each kind. */
export async function restoreNaming(
  db: Db,
  userId: string,
  { zip, folders }: Pick<Archive, 'zip' | 'folders'>,
  stored: StoredLinks,
): Promise<Pick<Record<CountedKind, Counts>, 'schedules' | 'memories' | 'sets'>> {
  const counts = {
    schedules: await restoreSchedules(db, userId, zip, stored),
    memories: await restoreMemories(db, userId, zip, stored),
    sets: await restoreSets(db, userId, zip, stored),
  };
  await restoreSetsOfFolders(db, userId, folders);
  await restoreSources(db, userId, zip, stored);
  return counts;
}

async function restoreSchedules(db: Db, userId: string, zip: Zip, stored: StoredLinks): Promise<Counts> {
  return takeItems(zip, LISTS.schedules, take);

  async function take(value: unknown): Promise<keyof Counts> {
    const { data: named } = Named.safeParse(value);
    const { title, text, target, timeZone, files = [], ...others } = read(value);
    if (!named || title === undefined || text === undefined || !target || timeZone === undefined) return 'skipped';
    const id = derivedId('import-schedule', userId, named.id);
    const own = Id.safeParse(named.id).data ?? id;
    return restoreSchedule(db, [own, id], {
      ...others,
      userId,
      id,
      title,
      text,
      timeZone,
      target: { ...target, settings: relinkIds(target.settings, stored) },
      files: files.flatMap(({ fileId }) => stored.file(fileId) ?? []),
      folderId: named.folderId === null ? null : ((await findFolder(db, userId, named.folderId)) ?? null),
      convoId: named.convoId === null ? null : ((await findConvo(db, userId, named.convoId)) ?? null),
    });
  }
}

const readMemory = rowReader('memories', { text: MemoryText, uses: z.int().min(0).max(1_000_000_000) }, [
  'id',
  'scope',
  'convoId',
  'messageId',
]);
const NamedByMemory = z.object({
  id: name,
  scope: z.string().max(300),
  convoId: name.nullable().catch(null),
  messageId: name.nullable().catch(null),
});

/** Up to the limit. */
async function restoreMemories(db: Db, userId: string, zip: Zip, stored: StoredLinks): Promise<Counts> {
  return takeItems(zip, LISTS.memory, take);

  async function take(value: unknown): Promise<keyof Counts> {
    const { data } = NamedByMemory.safeParse(value);
    const { text, ...others } = readMemory(value);
    const scope = data && (await scopeHere(data.scope));
    if (!data || text === undefined || scope === undefined) return 'skipped';
    const made = derivedId('import-memory', userId, data.id);
    const own = Id.safeParse(data.id).data ?? made;
    const from = data.convoId === null ? {} : await sourceHere(data.convoId, data.messageId);
    return restoreMemory(db, [own, made], { ...others, ...from, userId, id: made, scope, text });
  }

  /** Undefined where its folder or assistant is not here. */
  async function scopeHere(scope: string): Promise<MemoryScope | undefined> {
    if (scope === '') return scope;
    const [kind = '', id = ''] = scope.split(':', 2);
    const own = kind === 'assistant' ? stored.assistant(id) : await findFolder(db, userId, id);
    if (own === undefined) return undefined;
    return kind === 'assistant' ? `assistant:${own}` : `folder:${own}`;
  }

  /** The conversation and the reply here; neither of one that did not come along. */
  async function sourceHere(sourceId: string, messageId: string | null) {
    const convoId = await findConvo(db, userId, sourceId);
    if (convoId === undefined || messageId === null) return { ...(convoId !== undefined && { convoId }) };
    const own = Id.safeParse(messageId).data;
    const isOwn = own !== undefined && convoId === sourceId;
    return { convoId, messageId: isOwn ? own : derivedId('import', userId, sourceId, messageId) };
  }
}
