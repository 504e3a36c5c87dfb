// Runs the processes of a cluster's parts.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { killIn, launch, waitFor, type Part } from './part.ts';

/** A part that ends by itself is started again after this many milliseconds. */
const AGAIN_MS = 1000;
/** Of the log of a part that does not start. */
const LAST_LINES = 15;

export type Crew = ReturnType<typeof createCrew>;

/** Runs processes, and starts again what ends without having been told to. */
export function createCrew(say: (line: string) => void) {
  const running = new Map<Part, ChildProcess>();
  /** They were started, and may end by themselves: then they start again. */
  const proven = new Set<Part>();
  const left = new AbortController();
  return { start, kill, end, leave: () => left.abort(), isRunning: (part: Part) => running.has(part) };

  /** Resolves when all are ready, or what is asked in place of it. */
  async function start(parts: readonly Part[], isWell = allReady): Promise<void> {
    const failures = parts.map((part) => run(part));
    await Promise.race([waitFor(() => isWell(parts), left.signal), ...failures]);
    for (const part of parts) proven.add(part);
  }

  /** Rejects when the part ends before it was ever ready. */
  function run(part: Part): Promise<never> {
    const child = launch(part);
    running.set(part, child);
    return new Promise((_resolve, reject) => {
      child.once('exit', (code, signal) => {
        if (running.get(part) !== child || left.signal.aborted) return;
        running.delete(part);
        if (!proven.has(part))
          return reject(new Error(`${part.name} ended with ${code ?? signal}:\n${lastLines(part)}`));
        say(`${part.name} ended with ${code ?? signal} and is started again`);
        setTimeout(() => left.signal.aborted || running.has(part) || void run(part), AGAIN_MS);
      });
    });
  }

  async function kill(part: Part): Promise<void> {
    running.delete(part);
    await killIn(part.folder);
  }

  async function end(part: Part): Promise<void> {
    const child = running.get(part);
    running.delete(part);
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

/** Whether each part is ready. */
export async function allReady(parts: readonly Part[]): Promise<boolean> {
  return (await Promise.all(parts.map((part) => part.isReady()))).every(Boolean);
}

function lastLines({ folder }: Part): string {
  return readFileSync(`${folder}.log`, 'utf8').trim().split('\n').slice(-LAST_LINES).join('\n');
}
