import { readFile } from 'node:fs/promises';

/** The bytes of memory that a process holds, as Linux says; null on other systems and for a process that is gone. */
export async function readResident(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}
