// Rebuilds if the sources have changed, then becomes the server: one process, without compiler or bundler.
import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { isFresh, root } from './build-stamps.mjs';

if (!isFresh('server') || !isFresh('web')) {
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

// As `node server/dist/main.js` sets it.
const main = realpathSync(`${root}server/dist/main.js`);
process.argv[1] = main;
await import(pathToFileURL(main).href);
