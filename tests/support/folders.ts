import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** A new private folder, removed after the test, or after the file if called at the top of it. */
export function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'parley-test-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    onTestFinished(remove);
  } catch {
    afterAll(remove);
  }
  return folder;
}
