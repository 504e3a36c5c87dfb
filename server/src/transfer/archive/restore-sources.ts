// The projects and sets of assistants, which are restored after the assistants themselves.
import type { Db } from '@parley/db/client';
import { ASSISTANT_SOURCES_MAX } from '@parley/schema/assistants/assistant-inputs';
import * as z from 'zod';
import { addSources } from '../../assistants/assistants.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import type { StoredLinks } from '../stored-links.ts';
import { findFolder, findSet } from './find-restored.ts';
import { itemsOf } from './items-of.ts';
import { LISTS } from './open-archive.ts';

const name = z.string().min(1).max(256);
const Source = z.object({ kind: z.enum(['folder', 'set']), id: name });
const NamedByAssistant = z.object({
  assistantId: name,
  sources: z.array(Source).min(1).max(ASSISTANT_SOURCES_MAX),
});

/** Gives assistants that have none the projects and sets of those in the export, as far as these are here. */
export async function restoreSources(db: Db, userId: string, zip: Zip, stored: StoredLinks): Promise<void> {
  for await (const value of itemsOf(zip, LISTS.assistants)) {
    const { data } = NamedByAssistant.safeParse(value);
    const id = data && stored.assistant(data.assistantId);
    if (!data || id === undefined) continue;
    const here = await Promise.all(
      data.sources.map(async ({ kind, id: sourceId }) => {
        const found = await (kind === 'set' ? findSet : findFolder)(db, userId, sourceId);
        return found === undefined ? [] : [{ kind, id: found }];
      }),
    );
    await addSources(db, userId, id, here.flat());
  }
}
