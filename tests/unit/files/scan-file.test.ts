import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '@parley/server/load-config';
import { scanFile } from '@parley/server/files/upload/scan-file';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';

/** A scanner that ends with the code that the file holds, as real ones do by what they find. */
async function scan(text: string, env: Record<string, string> = {}, timeoutMs?: number): Promise<string> {
  const folder = createFolder();
  const scanner = join(folder, 'scanner.mjs');
  writeFileSync(
    scanner,
    `import { readFileSync } from 'node:fs';
const said = readFileSync(process.argv.at(-1), 'utf8');
if (said === 'hang') setInterval(() => {}, 1000); else process.exit(Number(said));`,
  );
  // A name that a shell would take for more.
  const path = join(folder, 'a; exit 1 "$(exit 1)"');
  writeFileSync(path, text);
  const config = await loadConfig({
    env: { DATA_DIR: folder, FILES_SCAN_COMMAND: `${process.execPath} ${scanner}`, ...env },
    cwd: folder,
  });
  const log = pino({ level: 'silent' });
  return scanFile({ config, log }, path, timeoutMs).then(
    () => 'taken',
    (error: { problem?: { type: string } }) => error.problem?.type ?? String(error),
  );
}

describe('a file that is scanned', () => {
  it('is taken when the scanner finds nothing, and refused when it finds something', async () => {
    expect(await scan('0')).toBe('taken');
    expect(await scan('1')).toBe('infected');
  });

  it('is refused when the scanner fails, is missing or hangs', async () => {
    expect(await scan('2')).toBe('not_scanned');
    expect(await scan('0', { FILES_SCAN_COMMAND: '/does/not/exist' })).toBe('not_scanned');
    expect(await scan('hang', {}, 200)).toBe('not_scanned');
  });

  it('is taken after a failure where the operator says so, and never when something was found', async () => {
    const open = { FILES_SCAN_FAIL_OPEN: 'true' };
    expect(await scan('2', open)).toBe('taken');
    expect(await scan('1', open)).toBe('infected');
  });

  it('is scanned by nothing where no command is set', async () => {
    expect(await scan('1', { FILES_SCAN_COMMAND: '' })).toBe('taken');
  });
});
