import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { InterpreterConfig } from '../config/parts/tools.ts';
import { unlessAborted } from '../platform/deadline.ts';
import { KernelEnded, startKernel, type Kernel, type KernelLimits } from './kernel.ts';
import { commandProgram, denoProgram, findDenoKernel, type DenoKernel } from './program.ts';
import { findSnapshot } from './snapshot.ts';

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
