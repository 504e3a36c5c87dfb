// Measures how long a process waited for a CPU: what it loses by that on a busy machine is not a bug.
import { readFileSync } from 'node:fs';

export interface CpuStarvation {
  /** Milliseconds of waiting in the last second. 0 where the system does not report it. */
  lately(): number;
  end(): void;
}

const LOOK_EVERY_MS = 100;
const LOOKS_PER_SECOND = 1000 / LOOK_EVERY_MS;

export function watchCpuStarvation(pid: number): CpuStarvation {
  const waits = [waitOf(pid)];
  const timer = setInterval(() => {
    waits.push(waitOf(pid));
    if (waits.length > LOOKS_PER_SECOND) waits.shift();
  }, LOOK_EVERY_MS);
  return { lately: () => waitOf(pid) - (waits[0] ?? 0), end: () => clearInterval(timer) };
}

/** Linux counts the nanoseconds that the main thread was runnable but did not run. */
function waitOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
