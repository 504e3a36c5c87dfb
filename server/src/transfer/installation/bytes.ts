// Where the bytes of files lie beside an export: images in `images/`, all others in `uploads/`.
import { lstat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** Null when they are not there, or the address leads elsewhere. */
export async function readInstallationBytes(folder: string, filepath: string): Promise<string | null> {
  const [address = ''] = filepath.split('?', 1);
  const root = resolve(folder);
  const path = resolve(root, `.${address}`);
  const isBeside = ['images', 'uploads'].some((name) => path.startsWith(join(root, name) + sep));
  if (!isBeside) return null;
  const found = await lstat(path).catch(() => null);
  return found?.isFile() ? path : null;
}
