// The last stage of the Dockerfile, followed line by line in a folder: exactly the files that an image has.
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { z } from 'zod';
import { createFolder } from '../folders.ts';

const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');

/** The lines of the image's last stage. */
export const imageStage = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));

/** Builds, and resolves to a folder with what the image has, without packages that only developers need. */
export async function copyImage(): Promise<string> {
  await build();
  const folder = createFolder();
  for (const [, from = '', to = ''] of imageStage.matchAll(/^COPY --from=build \/app\/(\S+) (\S+)$/gm)) {
    const target = join(folder, to === './' ? from : to);
    mkdirSync(dirname(target), { recursive: true });
    if (from === 'node_modules') linkPackages(target);
    else cpSync(join(root, from), target, { recursive: true });
  }
  return folder;
}

const Lock = z.object({
  packages: z.record(z.string(), z.object({ dev: z.boolean().optional(), link: z.boolean().optional() })),
});

/** What `npm ci --omit=dev` installs of the lock file, and none of the workspaces, whose sources an image lacks. */
function linkPackages(target: string): void {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  for (const [path, { dev, link }] of Object.entries(packages)) {
    const [, name = ''] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (!name || dev || link) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    symlinkSync(join(root, path), join(target, name));
  }
}
