// The image's last stage, followed line by line in a folder: what it copies is enough to run, and its health check
// works.
import { spawn, spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { copyImage, imageStage as stage } from '../../support/image/image.ts';

let folder = '';

beforeAll(async () => {
  folder = await copyImage();
});

it('runs as an ordinary user, with its data on a volume', () => {
  expect(stage).toMatch(/^USER node$/m);
  expect(stage).toMatch(/^VOLUME \/data$/m);
});

it('starts, and its health check succeeds', async () => {
  const port = String(await freePort());
  const env = {
    PATH: process.env.PATH ?? '',
    ...environment(),
    HOST: '127.0.0.1',
    PORT: port,
    DATA_DIR: `${folder}/data`,
  };
  const [program = '', ...args] = command(/^CMD (\[.*\])$/m);
  const server = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const [check = '', ...checkArgs] = command(/^HEALTHCHECK .*?CMD (\[.*\])$/m);
  await expect.poll(() => spawnSync(check, checkArgs, { env }).status, { timeout: 60_000, interval: 500 }).toBe(0);
  server.kill('SIGTERM');
  expect(await ended).toBe(0);
}, 120_000);

function environment(): Record<string, string> {
  const pairs = [...stage.matchAll(/^ENV (.+)$/gm)].flatMap(([, line = '']) => line.split(' '));
  return Object.fromEntries(pairs.map((pair) => pair.split('=')));
}

function command(pattern: RegExp): string[] {
  return JSON.parse(pattern.exec(stage)?.[1] ?? '[]') as string[];
}
