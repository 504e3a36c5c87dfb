import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createFolder } from '../folders.ts';

const Journal = z.object({ entries: z.array(z.looseObject({ when: z.number(), tag: z.string() })) });

/** The migrations of a folder in their order. */
export function readEntries(folder: string) {
  return Journal.parse(JSON.parse(readFileSync(join(folder, 'meta/_journal.json'), 'utf8'))).entries;
}

/** A folder of migrations with these texts, after those of `base`. Folders that begin alike are versions of one product. */
export function migrationsOf(texts: string[], base?: string): string {
  const folder = createFolder();
  if (base) cpSync(base, folder, { recursive: true });
  else mkdirSync(join(folder, 'meta'));
  const before = base ? readEntries(base) : [];
  const entries = texts.map((text, index) => {
    const idx = before.length + index;
    const tag = `${idx}_later`;
    writeFileSync(join(folder, `${tag}.sql`), text);
    return { idx, version: '7', when: (base ? 1_900_000_000_000 : 1_700_000_000_000) + index, tag, breakpoints: true };
  });
  const journal = { version: '7', dialect: 'postgresql', entries: [...before, ...entries] };
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify(journal));
  return folder;
}
