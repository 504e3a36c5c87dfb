import { readFile } from 'node:fs/promises';

/** The bytes of memory that a process holds, as Linux reports; null on other systems and for a process that is gone. */
export async function readResident(pid: number): Promise<number | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Ticks of the clock in a second, in which Linux reports times of processes. */
const TICKS_PER_SECOND = 100;

/** The processor time that a process has used, in milliseconds; null like `readResident`. */
export async function readProcessorMs(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name, in parentheses, may contain anything; what follows begins with the third field.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system] = [fields[11], fields[12]].map(Number);
  return user === undefined || system === undefined || stat === '' ? null : ((user + system) * 1000) / TICKS_PER_SECOND;
}
