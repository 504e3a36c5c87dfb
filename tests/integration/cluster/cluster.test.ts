// A small cluster of Debian's programs, in which a node and the primary are killed. Where programs are missing, only the
// sentence of the command is tested.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { processesIn } from '@parley/scripts/cluster/part';
import { missingPackages, missingSentence } from '@parley/scripts/cluster/programs';
import { isProven, prove } from '@parley/scripts/cluster/prove';
import { startCluster } from '@parley/scripts/cluster/supervisor';
import { beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';

const missing = missingPackages();
/** Six seconds each. */
const LOAD = { answers: 10, tokens: 60, every: 100, backAfter: 1 };

beforeAll(() => build());

if (missing.length === 0) describe('a cluster on one machine', testCluster);
else
  it(`a cluster without ${missing.join(', ')} is not started, and its command says how to install them`, async () => {
    expect(await runCluster()).toEqual({ code: 1, stdout: '', stderr: `${missingSentence(missing)}\n` });
  });

function testCluster(): void {
  it('loses nothing when a node is killed, and then the primary', async () => {
    const folder = newFolder();
    const cluster = await startCluster({ folder, nodes: 2 });
    try {
      const node = await prove(cluster, 'node', LOAD);
      expect(node).toSatisfy(isProven);
      const primary = await prove(cluster, 'primary', LOAD);
      expect(primary).toSatisfy(isProven);
      expect(primary).toMatchObject({ savedWhole: 10, readWhole: 10, promoted: expect.any(Number) });
    } finally {
      await cluster.close();
    }
    expect([existsSync(folder), processesIn(folder)]).toEqual([false, []]);
  });

  it('shows its own page and its own sentence while the pooler is away for so long that no node is ready', async () => {
    const cluster = await startCluster({ folder: newFolder(), nodes: 2 });
    try {
      const get = async (path: string) => {
        const response = await fetch(`${cluster.url}${path}`);
        return { status: response.status, text: await response.text() };
      };
      const { back } = await cluster.kill('pooler', 12);
      await expect
        .poll(() => get('/ready'), { timeout: 30_000 })
        .toEqual({ status: 503, text: 'The database does not answer' });
      const nodes = cluster.parts.filter(({ role }) => role === 'node');
      await expect.poll(async () => (await Promise.all(nodes.map((node) => node.isReady()))).some(Boolean)).toBe(false);
      // HAProxy sees it two seconds later.
      for (let n = 0; n < 15; n++) {
        expect(await get('/')).toEqual({ status: 200, text: expect.stringContaining('<title>') });
        expect(await get('/health')).toEqual({ status: 200, text: 'OK' });
        await sleep(200);
      }
      await back;
      expect(await get('/ready')).toEqual({ status: 200, text: 'OK' });
    } finally {
      await cluster.close();
    }
  });

  it('answers the commands --status and --kill, and ends when its own command is killed', async () => {
    const folder = newFolder();
    const ask = (...args: string[]) => runCluster('--dir', folder, ...args);
    const command = spawn(process.execPath, ['scripts/install.mjs', 'cluster', '--dir', folder, '--nodes', '1'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<unknown>((resolve) => {
      command.once('exit', resolve);
      command.stdout.on('data', (chunk) => String(chunk).includes('Parley is ready') && resolve(null));
    });
    const { stdout } = await ask('--status');
    expect(stdout).toMatch(/^node1 +node +\S+ +ready$/m);
    expect(stdout).toMatch(/^database\d +standby +\S+ +ready +\d+ bytes behind$/m);
    expect((await ask('--kill', 'pooler', '--back-after', '1')).stdout).toBe(
      'pooler is killed; it comes back in 1 seconds.\n',
    );
    await expect.poll(async () => (await ask('--status')).stdout).toMatch(/^pooler .* ready$/m);
    expect(await ask('--kill', 'everything')).toMatchObject({
      code: 1,
      stderr: 'Only these can be killed: primary, standby, node, pooler, balancer, bucket, etcd.\n',
    });
    command.kill('SIGKILL');
    await expect.poll(() => [existsSync(folder), processesIn(folder)]).toEqual([false, []]);
    expect(await ask('--status')).toMatchObject({ code: 1, stderr: `No cluster runs in ${folder}.\n` });
  });
}

/** Is not there yet. Beside a folder of the test, since its programs may run as another user, who cannot enter that one. */
function newFolder(): string {
  return `${createFolder()}-cluster`;
}

function runCluster(...args: string[]) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['scripts/install.mjs', 'cluster', ...args], { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
  });
}
