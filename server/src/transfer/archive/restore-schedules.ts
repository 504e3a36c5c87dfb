// Schedules of an export of everything. They come after conversations and folders, which they name, and ask nothing
// before their person resumes them.
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
import type { CountedKind, Counts } from '@parley/schema/transfer/results';
import * as z from 'zod';
import { derivedId } from '../../platform/derived-id.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import { restoreSchedule } from '../../schedules/schedules.ts';
import { relinkIds, type StoredLinks } from '../stored-links.ts';
import { findConvo, findFolder } from './find-restored.ts';
import { itemsOf } from './items-of.ts';
import { LISTS } from './open-archive.ts';

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

/** Adds those that are not here; resolves to how many. */
export async function restoreSchedules(
  db: Db,
  userId: string,
  zip: Zip,
  stored: StoredLinks,
): Promise<Pick<Record<CountedKind, Counts>, 'schedules'>> {
  const counts = { imported: 0, present: 0, skipped: 0 };
  for await (const value of itemsOf(zip, LISTS.schedules)) counts[await take(value)] += 1;
  return { schedules: counts };

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
