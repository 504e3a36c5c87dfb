// The operator's scanner of files: a command that gets the path of each file before it is taken.
import { spawn } from 'node:child_process';
import type { Logger } from 'pino';
import type { FilesConfig } from '../../config/parts/files.ts';
import { refuseFile } from './file-refusal.ts';

/** A scanner that takes longer has failed. */
const SCAN_MAX_MS = 60_000;
/** The exit code of clamscan and clamdscan for a file with something in it. */
const INFECTED_EXIT_CODE = 1;

interface ScanDeps {
  config: { files: Pick<FilesConfig, 'scan'> };
  log: Logger;
}

/**
 * Exit code 0 takes the file, 1 refuses it. After anything else, too, unless the operator takes files that could not be
 * scanned. The command is run without a shell, so a path is never more than an argument.
 * @throws FileRefusal `infected` or `not_scanned`
 */
export async function scanFile({ config, log }: ScanDeps, path: string, timeoutMs = SCAN_MAX_MS): Promise<void> {
  const { scan } = config.files;
  if (!scan) return;
  const code = await exitCodeOf([...scan.command, path], timeoutMs);
  if (code === 0) return;
  if (code === INFECTED_EXIT_CODE) refuseFile({ type: 'infected' });
  log.error({ event: 'file.not_scanned', code }, 'The scanner of files failed');
  if (!scan.failsOpen) refuseFile({ type: 'not_scanned' });
}

/** Null when it could not be started, or was ended because it took too long. */
function exitCodeOf([command = '', ...args]: string[], timeoutMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', timeout: timeoutMs, killSignal: 'SIGKILL' });
    child.once('error', () => resolve(null));
    child.once('exit', resolve);
  });
}
