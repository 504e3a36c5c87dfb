// Tests of this room: tests/integration/scripts/backup.test.ts, tests/integration/scripts/backup-interrupted.test.ts.

// What is in a backup: a ZIP file with the text of each table, the stored files, secrets.json and, last, this list.
import { z } from 'zod';

export const Manifest = z.object({
  format: z.literal(1),
  madeAt: z.string(),
  /** Of Parley; earlier ones did not say it. */
  version: z.string().optional(),
  migrations: z.array(z.number()).min(1),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      rows: z.number(),
      sha256: z.string(),
      /** Entries that its text is divided among. */
      pieces: z.number(),
    }),
  ),
  sequences: z.array(z.object({ name: z.string(), value: z.number() })),
  files: z.number(),
  hasSecrets: z.boolean(),
});
export type Manifest = z.infer<typeof Manifest>;

export const MANIFEST = 'backup.json';
export const SECRETS = 'secrets.json';
/** Before the keys of stored files. */
export const FILES = 'files/';

export function pieceName(table: string, piece: number): string {
  return `tables/${table}/${piece}`;
}

/** How many of everything, for a person. */
export function describeBackup({ tables, files }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const accounts = tables.find(({ name }) => name === 'users')?.rows ?? 0;
  return `${accounts} accounts, ${rows} rows in ${tables.length} tables and ${files} files`;
}
