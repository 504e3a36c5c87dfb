import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The folder of an export of LibreChat with these collections, a document a line. It is removed after the test. */
export async function installationFolder(collections: Record<string, object[]>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-installation-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, documents] of Object.entries(collections))
    await writeFile(join(folder, `${name}.json`), documents.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return folder;
}
