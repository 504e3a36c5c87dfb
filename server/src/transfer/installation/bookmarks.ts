// Bookmarks: each becomes a folder, also one without conversations.
import { cleanText } from '@parley/schema/clean-text';
import * as z from 'zod';
import { restoreFolders } from '../restore-folders.ts';
import { readDocuments } from './documents.ts';
import { documentOwner } from './people/people.ts';
import { folderNamed, type Bookmarks } from './reference-convo.ts';
import { skip, type Count } from './report.ts';
import type { People, Target } from './target.ts';

const Bookmark = z.object({ tag: z.string().overwrite(cleanText).trim().min(1), position: z.number().catch(0) });

/** The places of bookmarks in the list of each person here. */
export async function readBookmarks(
  target: Target,
  path: string | null,
  people: People,
  count: Count,
): Promise<ReadonlyMap<string, Bookmarks>> {
  const found = new Map<string, Map<string, number>>();
  for await (const { document } of path === null ? [] : readDocuments(path)) {
    const userId = documentOwner(document, people, count);
    const { data } = Bookmark.safeParse(document);
    if (!userId) continue;
    if (!data) {
      skip(count, 'not readable');
      continue;
    }
    const own = found.get(userId) ?? new Map<string, number>();
    found.set(userId, own.set(data.tag, data.position));
  }
  for (const [userId, places] of found) {
    const tags = [...places]
      .toSorted(([, a], [, b]) => a - b)
      .map(([tag]) => ({ convo: { folder: folderNamed(tag) } }));
    const made = target.isDry
      ? tags.length
      : (await target.db.query.transaction((tx) => restoreFolders(tx, userId, tags))).size;
    count.written += made;
    skip(count, 'their person has as many folders as one may have', tags.length - made);
  }
  return found;
}
