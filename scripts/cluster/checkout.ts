// Another version of the product, built.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { root } from '../build-stamps.mjs';

export interface Checkout {
  folder: string;
  remove(): void;
}

/** @param from a folder with a built checkout, or what git knows by that name, which is built first */
export function openCheckout(from: string | undefined): Checkout {
  if (from === undefined) throw new Error('Say which version is upgraded: --from <git ref or folder>.');
  if (existsSync(join(from, 'server/dist/main.js'))) return { folder: resolve(from), remove: () => {} };
  const parent = mkdtempSync(join(tmpdir(), 'parley-checkout-'));
  const folder = join(parent, 'parley');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  const remove = () => {
    if (existsSync(folder)) git('worktree', 'remove', '--force', folder);
    rmSync(parent, { recursive: true, force: true });
  };
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, from);
    execFileSync(process.execPath, ['scripts/install.mjs', 'build'], { cwd: folder, stdio: 'inherit' });
  } catch (error) {
    remove();
    throw new Error(`${from} is neither a folder with a built checkout nor a version that can be built.`, {
      cause: error,
    });
  }
  return { folder, remove };
}
