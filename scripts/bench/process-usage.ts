// Reads CPU and memory of a process from the kernel. Linux only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** CPU time of all live threads of a process so far, in milliseconds. */
export function processCpuMs(pid: number): number {
  const tasks = `/proc/${pid}/task`;
  return list(tasks).reduce((sum, task) => sum + onCpu(`${tasks}/${task}/schedstat`), 0);
}

/** Resident memory in bytes. */
export function residentBytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** Resident memory in bytes, where memory that several processes share is divided among them. */
export function proportionalBytes(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kilobytes ?? 0) * 1024;
}

/** The PostgreSQL processes over the embedded database in `dataDir`. */
export function databaseProcesses(dataDir: string): number[] {
  const postmaster = Number.parseInt(read(join(dataDir, 'postgres/postmaster.pid')), 10);
  const children = list('/proc').filter((pid) => /^\d+$/.test(pid) && parentOf(pid) === postmaster);
  return [postmaster, ...children.map(Number)];
}

/** CPU nanoseconds are the first field of `schedstat`; `stat` has steps of 10 ms. */
function onCpu(path: string): number {
  return Number(read(path).split(' ')[0]) / 1e6;
}

function parentOf(pid: string): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);
}

/** Processes and threads end while they are being listed. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
