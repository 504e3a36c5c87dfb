// One entry of an archive as a file on the disk, for as long as it takes to keep it.
import type { FileSkip } from '@parley/schema/transfer/results';
import type { Config } from '../../config/config.ts';
import { assertDiskSpace, NoSpace } from '../../files/quota.ts';
import { scanProblem } from '../../files/upload/file-refusal.ts';
import { Refusal } from '../../platform/errors.ts';
import { ZipFault, type Zip } from '../../platform/zip/read-zip.ts';
import { receive, withArrival } from '../../storage/arrivals.ts';
import { isOfZlib } from './open-archive.ts';

/** Why an entry is not kept. */
export interface Skipped {
  reason: FileSkip;
}

interface Entry {
  path: string;
  /** Of its bytes, in hexadecimal; not all archives say it. */
  sha256?: string | null | undefined;
}

interface Unpacked {
  path: string;
  bytes: number;
  hash: string;
}

/** Has `keep` take the unpacked bytes, or says why they are left out: they are not there, changed, too large or refused. */
export async function withUnpacked<Kept>(
  config: Config,
  zip: Zip,
  { path: name, sha256 }: Entry,
  maxBytes: number,
  keep: (unpacked: Unpacked) => Promise<Kept>,
): Promise<Kept | Skipped> {
  if (!zip.has(name)) return { reason: 'missing' };
  const { unpacked } = zip.sizeOf(name);
  if (unpacked > maxBytes) return { reason: 'too_large' };
  try {
    await assertDiskSpace(config.server.dataDir, unpacked);
    return await withArrival(config, async (path) => {
      const arrived = await receive(zip.read(name), path);
      if (sha256 && sha256 !== arrived.hash) return { reason: 'damaged' };
      return keep({ path, ...arrived });
    });
  } catch (error) {
    if (error instanceof NoSpace) return { reason: error.problem.type };
    // What does not unpack.
    if (error instanceof ZipFault || isOfZlib(error)) return { reason: 'damaged' };
    if (error instanceof Refusal && error.reason.type === 'invalid_input')
      return { reason: scanProblem(error) ?? 'unreadable_image' };
    throw error;
  }
}
