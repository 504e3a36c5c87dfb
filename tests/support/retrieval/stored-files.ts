// Files that a user has uploaded, without the upload; and the index of their text.
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { documents } from '@parley/db/tables/documents';
import { hashFile } from '@parley/server/storage/arrivals';
import { saveFile, createFileSaver } from '@parley/server/files/save-file';
import type { DocumentRow } from '@parley/server/retrieval/documents';
import type { ExtractOutcome, Extractor } from '@parley/server/retrieval/extracted';
import { eq } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { createFolder } from '../folders.ts';
import type { Person, TestServices } from '../services.ts';

/** Keeps a file as an upload does and notifies the index; returns its id. */
export async function addFile(
  { deps }: TestServices,
  { id: userId }: Pick<Person, 'id'>,
  text: string | Uint8Array,
  { name = 'notes.txt', mime = 'text/plain' } = {},
): Promise<string> {
  const path = join(createFolder(), randomUUID());
  await writeFile(path, text);
  const bytes = Buffer.byteLength(text);
  const file = { userId, path, bytes, hash: await hashFile(path), name, mime };
  const row = await saveFile(createFileSaver(deps), { ...file, context: 'message_attachment' });
  deps.retrieval.wake();
  return row.id;
}

export async function documentOf({ deps }: TestServices, fileId: string): Promise<DocumentRow | undefined> {
  const [row] = await deps.db.query.select().from(documents).where(eq(documents.fileId, fileId));
  return row;
}

/** Waits until the index has come to this state with the file. */
export async function awaitState(services: TestServices, fileId: string, state: DocumentRow['state']): Promise<void> {
  // Also before all tests, where `expect.poll` may not be used.
  const look = async () => expect((await documentOf(services, fileId))?.state).toBe(state);
  await vi.waitFor(look, { timeout: 60_000, interval: 20 });
}

/** An extractor without a thread: form feeds end pages, empty lines chunks. `before` may wait, throw, or find something else. */
export function plainExtractor(
  before: (
    signal: AbortSignal,
    text: string,
    cpuMs: number | undefined,
  ) => Promise<ExtractOutcome | void> = async () => {},
): Extractor {
  return {
    prepare() {},
    async extract({ path }, signal, cpuMs) {
      const text = await readFile(path, 'utf8');
      return (await before(signal, text, cpuMs)) ?? chunksOf(text);
    },
    close: async () => {},
  };
}

function chunksOf(text: string): ExtractOutcome {
  const pages = text.split('\f');
  const hasPages = pages.length > 1;
  const chunks = pages
    .flatMap((page, at) => page.split(/\n{2,}/).map((body) => ({ page: hasPages ? at + 1 : null, body })))
    .filter(({ body }) => body.trim() !== '')
    .map((chunk, n) => ({ n, heading: null, tokens: Math.ceil(chunk.body.length / 4), ...chunk }));
  return { type: 'text', pages: hasPages ? pages.length : null, characters: text.length, chunks };
}
