// (j) Importing the export of a whole installation into an empty database: how fast, and with how much memory. MESSAGES
// in the environment makes it smaller.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../build-stamps.mjs';
import { writeInstallation } from '../seed/installation.ts';
import { atLeast, atMost, printFigures } from './figures.ts';
import { processCpuMs, databaseProcesses } from './process-usage.ts';

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
      { name: 'CPU a message: import, database', cells: { parley: cpuIn(first) } },
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
  /** Seconds of CPU. */
  cpu: { server: number; database: number };
}

function cpuIn({ written, cpu }: Run): string {
  return [cpu.server, cpu.database].map((seconds) => `${((seconds * 1e6) / written).toFixed(0)} µs`).join(', ');
}

const SAMPLE_MS = 250;

/** Runs the command and reads what it reports. */
async function runImport(folder: string): Promise<Run> {
  const commands = join(root, 'server/dist/commands.js');
  const dataDir = join(folder, 'data');
  const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '' };
  const child = spawn(process.execPath, [commands, 'import-librechat', folder], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
  const usage = sampleCpu(child.pid ?? 0, dataDir);
  await once(child, 'close');
  const cpu = usage.end();
  const [, written] = /^messages +\d+ +(\d+)/m.exec(stdout) ?? [];
  const [, seconds, megabytes] = /^([\d.]+) s, at most (\d+) MB/m.exec(stdout) ?? [];
  if (written === undefined || seconds === undefined) throw new Error(stdout);
  return { written: Number(written), seconds: Number(seconds), megabytes: Number(megabytes), cpu };
}

/** Looks now and then, since the kernel forgets a process with its end. */
function sampleCpu(pid: number, dataDir: string): { end(): Run['cpu'] } {
  let server = 0;
  const database = new Map<number, number>();
  const timer = setInterval(() => {
    server = Math.max(server, processCpuMs(pid));
    for (const one of databaseProcesses(dataDir))
      database.set(one, Math.max(database.get(one) ?? 0, processCpuMs(one)));
  }, SAMPLE_MS);
  return {
    end() {
      clearInterval(timer);
      const ofDatabase = [...database.values()].reduce((sum, milliseconds) => sum + milliseconds, 0);
      return { server: server / 1000, database: ofDatabase / 1000 };
    },
  };
}
