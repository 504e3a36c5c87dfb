import { parseJson } from '@parley/schema/json';
import { IMPORT_LIMITS, type Counts } from '@parley/schema/transfer/results';
import { createSplitter } from '@parley/schema/transfer/splitter';
import type { Zip } from '../../platform/zip/read-zip.ts';

/** The items of an entry that is a list in JSON, one in memory at a time; null for what is no JSON. None without it. */
export async function* itemsOf(zip: Zip, name: string): AsyncGenerator<unknown, void> {
  if (!zip.has(name)) return;
  const splitter = createSplitter(IMPORT_LIMITS);
  for await (const chunk of zip.read(name))
    for (const piece of splitter.push(chunk)) yield parseJson(Buffer.concat(piece.bytes).toString());
}

type Take = (value: unknown) => Promise<keyof Counts>;

/** Takes each item of such a list, and counts what became of them. */
export async function takeItems(zip: Zip, name: string, take: Take): Promise<Counts> {
  const counts = { imported: 0, present: 0, skipped: 0 };
  for await (const value of itemsOf(zip, name)) counts[await take(value)] += 1;
  return counts;
}
