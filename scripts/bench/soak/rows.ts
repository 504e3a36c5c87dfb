// What a soak has measured: rows that several runs of the command add to one file.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import * as z from 'zod';

/** The median and the 95th percentile in milliseconds; null where nothing was measured. */
const Latency = z.object({ p50: z.number(), p95: z.number() }).nullable();

const Row = z.object({
  /** Each part has a server process of its own, over the data of the part before. */
  part: z.number(),
  /** When it ended, since the load of its part began. */
  hours: z.number(),
  /** In hours. */
  length: z.number(),
  /** Resident memory of the server process, in bytes: the median of the row. */
  resident: z.number(),
  /** JavaScript heap in use: the least of the row, since a collection follows no clock. */
  heap: z.number(),
  /** All processes of the database, each with its share of what they share. */
  databaseMemory: z.number(),
  databaseSize: z.number(),
  connections: z.number(),
  sockets: z.number(),
  exchanges: z.number(),
  /** That the database committed, those of all other requests among them. */
  transactions: z.number(),
  failures: z.number(),
  firstText: Latency,
  list: Latency,
});
export type Row = z.output<typeof Row>;

/** What earlier parts have left in the file. */
export function readRows(file: string): Row[] {
  return existsSync(file) ? z.array(Row).parse(JSON.parse(readFileSync(file, 'utf8'))) : [];
}

/** A part that is stopped meanwhile leaves a whole file. */
export function saveRows(file: string, rows: readonly Row[]): void {
  writeFileSync(`${file}.new`, JSON.stringify(rows));
  renameSync(`${file}.new`, file);
}

export function sumHours(rows: readonly Row[]): number {
  return rows.reduce((sum, { length }) => sum + length, 0);
}
