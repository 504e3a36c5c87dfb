// (j) Importing the export of a whole installation into an empty database: how fast, and with how much memory. MESSAGES
// in the environment makes it smaller.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { writeInstallation } from '../seed/installation.ts';
import { atLeast, atMost, printFigures } from './figures.ts';

const MESSAGES = Number(process.env.MESSAGES ?? 1_000_000);
const SHAPE = { convosPerUser: 250, messagesPerConvo: 20 };
/** Nobody signs in. */
const PASSWORD_HASH = '$2b$10$abcdefghijklmnopqrstuuJ7o6VbGHmGXLkl1jUyO3tcqGz2vQm1q';

/** Prints the table and returns how many targets were missed. */
export async function benchImport(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-import-'));
  try {
    const users = Math.max(1, Math.round(MESSAGES / (SHAPE.convosPerUser * SHAPE.messagesPerConvo)));
    await writeInstallation(folder, { users, ...SHAPE }, PASSWORD_HASH);
    const first = await runImport(folder);
    const again = await runImport(folder);
    if (again.written !== 0) throw new Error(`The second import wrote ${again.written} messages`);
    const speed = first.written / first.seconds;
    return printFigures(`(j) import of ${first.written} messages of ${users} users`, [
      {
        name: 'messages a second',
        cells: { parley: speed.toFixed(0) },
        target: atLeast(speed, 5000, ''),
      },
      {
        name: 'memory of the import, at most',
        cells: { parley: `${first.megabytes} MB` },
        target: atMost(first.megabytes, 512, ' MB'),
      },
      { name: 'the same again, which adds nothing', cells: { parley: `${again.seconds.toFixed(0)} s` } },
    ]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Run {
  written: number;
  seconds: number;
  megabytes: number;
}

/** Runs the command and reads what it reports. */
async function runImport(folder: string): Promise<Run> {
  const command = fileURLToPath(new URL('../import-librechat.ts', import.meta.url));
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), DATABASE_URL: '' };
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', command, folder], { env });
  const [, written] = /^messages: \d+ read, (\d+) written/m.exec(stdout) ?? [];
  const [, seconds, megabytes] = /^([\d.]+) s, at most (\d+) MB/m.exec(stdout) ?? [];
  if (written === undefined || seconds === undefined) throw new Error(stdout);
  return { written: Number(written), seconds: Number(seconds), megabytes: Number(megabytes) };
}
