// The memory of Python after its start, kept in a file: a kernel that begins with it starts in a fraction of the time.
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { randomUUID } from 'node:crypto';
import { denoProgram, programVersion, type DenoKernel } from './program.ts';

const MAKE_MAX_MS = 120_000;
/** A process that made one for longer than this is gone. */
const LOCK_MAX_MS = 2 * MAKE_MAX_MS;
/** Smaller ones are not whole. */
const BYTES_MIN = 1024 * 1024;

/**
 * The path of the snapshot for this version, made when there is none yet; null while another process makes it. Those of
 * other versions are removed.
 * @throws Error when it cannot be made or written, or the signal aborts
 */
export async function findSnapshot(of: DenoKernel, signal: AbortSignal): Promise<string | null> {
  const name = `python-${await programVersion(of)}.snapshot`;
  const path = join(of.folder, name);
  if (await stat(path).catch(() => null)) return path;
  await mkdir(of.folder, { recursive: true });
  const unlock = await lock(`${path}.lock`);
  if (!unlock) return null;
  const unfinished = `${path}.${randomUUID()}`;
  try {
    await make(of, unfinished, signal);
    await rename(unfinished, path);
    await removeOthers(of.folder, name);
    return path;
  } finally {
    await rm(unfinished, { force: true });
    await unlock();
  }
}

/** Null while another process has it. */
async function lock(path: string): Promise<(() => Promise<void>) | null> {
  const held = await stat(path).catch(() => null);
  if (held && held.mtimeMs < Date.now() - LOCK_MAX_MS) await rm(path, { force: true });
  try {
    await (await open(path, 'wx')).close();
    return () => rm(path, { force: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return null;
    throw error;
  }
}

/** The kernel writes nothing itself: what it sends becomes the file. */
async function make(of: DenoKernel, path: string, signal: AbortSignal): Promise<void> {
  const { file, args, env, cwd } = await denoProgram(of, { makesSnapshot: true });
  const child = spawn(file, args, { env, cwd, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
  const kill = () => child.kill('SIGKILL');
  const timer = setTimeout(kill, MAKE_MAX_MS);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    const code = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
    const [exit] = await Promise.all([
      code,
      pipeline(child.stdout, createWriteStream(path, { mode: 0o600, flush: true })),
    ]);
    const { size } = await stat(path);
    if (exit !== 0 || size < BYTES_MIN) throw new Error(`The program ended with ${exit} after ${size} bytes.`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

async function removeOthers(folder: string, name: string): Promise<void> {
  const isOld = (other: string) => /^python-[\da-f]{16}\.snapshot$/.test(other) && other !== name;
  for (const other of await readdir(folder)) if (isOld(other)) await rm(join(folder, other), { force: true });
}
