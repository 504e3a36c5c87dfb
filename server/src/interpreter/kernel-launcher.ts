import { mkdir, rm, open, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { InterpreterConfig } from '../config/parts/tools.ts';
import { unlessAborted } from '../platform/deadline.ts';
import { KernelEnded, startKernel, type Kernel, type KernelLimits } from './kernel.ts';
import { commandProgram, denoProgram, findDenoKernel, type DenoKernel, programVersion } from './program.ts';
import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { randomUUID } from 'node:crypto';

const MAKE_MAX_MS = 120_000;

/** A process that made one for longer than this is gone. */
const LOCK_MAX_MS = 2 * MAKE_MAX_MS;

/** Smaller ones are not whole. */
const BYTES_MIN = 1024 * 1024;

export interface KernelLauncher {
  /** Whether this server can run Python. The first call that finds it cannot logs why. */
  isPossible(): boolean;
  /** @throws KernelEnded when the process does not become ready */
  kernel(signal: AbortSignal): Promise<Kernel>;
  /** Ends what is being made for all. */
  close(): Promise<void>;
}

/** `folder` keeps the snapshot and all else that kernels need on the disk. */
export function createKernelLauncher(
  config: InterpreterConfig,
  folder: string,
  limits: KernelLimits,
  log: Logger,
): KernelLauncher {
  let found: DenoKernel | null | undefined;
  const deno = () => (found === undefined ? (found = findDenoKernel(folder)) : found);
  let hasReported = false;
  let snapshot: Promise<string | null> | undefined;
  const closed = new AbortController();

  /** Null when it cannot be had: starting without one takes longer, nothing else. */
  function snapshotOf(of: DenoKernel): Promise<string | null> {
    snapshot ??= findSnapshot(of, closed.signal).then(
      (path) => {
        // Another process is making it.
        if (path === null) snapshot = undefined;
        return path;
      },
      (error: unknown) => {
        log.warn({ event: 'interpreter.no_snapshot', reason: error instanceof Error ? error.message : String(error) });
        return null;
      },
    );
    return snapshot;
  }

  async function startDeno(of: DenoKernel, signal: AbortSignal): Promise<Kernel> {
    // What all wait for goes on when one of them stops waiting.
    const path = await unlessAborted(snapshotOf(of), signal, () => new KernelEnded('stopped'));
    if (path === null) return startKernel(await denoProgram(of), limits, signal);
    try {
      return await startKernel(await denoProgram(of, { snapshot: path }), limits, signal);
    } catch (error) {
      if (!(error instanceof KernelEnded) || error.reason !== 'failed') throw error;
      // It is damaged: the next start makes it anew.
      snapshot = undefined;
      await rm(path, { force: true });
      return startKernel(await denoProgram(of), limits, signal);
    }
  }

  return {
    isPossible() {
      const why = whyNot(config, deno);
      if (why && !hasReported) log.info({ event: 'interpreter.off', reason: why });
      hasReported ||= why !== null;
      return why === null;
    },
    async kernel(signal) {
      const { command } = config;
      const of = deno();
      if (command === undefined && of) return startDeno(of, signal);
      const cwd = join(folder, 'empty');
      await mkdir(cwd, { recursive: true });
      return startKernel(commandProgram(command ?? '', cwd), limits, signal);
    },
    async close() {
      closed.abort();
      await snapshot;
    },
  };
}

function whyNot({ isOn, command }: InterpreterConfig, deno: () => DenoKernel | null): string | null {
  if (!isOn) return 'INTERPRETER is off.';
  if (command !== undefined || deno()) return null;
  return `There is no Deno for ${process.platform} on ${process.arch}: models are not offered Python.`;
}

// The memory of Python after its start, kept in a file: a kernel that begins with it starts in a fraction of the time.

/**
 * The path of the snapshot for this version, made when there is none yet; null while another process makes it. Those of
 * other versions are removed.
 * @throws Error when it cannot be made or written, or the signal aborts
 */
async function findSnapshot(of: DenoKernel, signal: AbortSignal): Promise<string | null> {
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
