import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@parley/scripts/build-stamps';
import { afterAll, beforeAll, expect, it } from 'vitest';

interface Advisory {
  /** Of a name of the list of parts. */
  of: string;
  severity: string;
  daysAgo: number;
  fixed?: string;
}

const folder = mkdtempSync(join(tmpdir(), 'parley-parts-'));
const list = join(folder, 'sbom.json');

beforeAll(() => {
  const components = ['hono', 'pdfjs-dist'].map((name) => ({ name, version: '1.0.0', purl: `pkg:npm/${name}@1.0.0` }));
  writeFileSync(list, JSON.stringify({ components }));
});

afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['a HIGH advisory whose fix is 29 days old is listed', { severity: 'HIGH', daysAgo: 29, fixed: '9.0.0' }, 0, '·'],
  ['a HIGH advisory whose fix is 31 days old fails', { severity: 'HIGH', daysAgo: 31, fixed: '9.0.0' }, 1, '✗'],
  ['a MODERATE advisory has 90 days', { severity: 'MODERATE', daysAgo: 89, fixed: '9.0.0' }, 0, '·'],
  ['an advisory without a fix is listed, however old', { severity: 'CRITICAL', daysAgo: 400 }, 0, '·'],
])('%s', async (_title, advisory, exitCode, mark) => {
  const osv = await openOsv({ of: 'pdfjs-dist', ...advisory });
  try {
    const { code, stdout } = await check(osv.url);
    expect(code).toBe(exitCode);
    expect(stdout).toContain(`${mark} pdfjs-dist `);
    expect(stdout).toContain(`2 parts, 1 advisories, ${exitCode} overdue.`);
  } finally {
    osv.close();
  }
});

it('a service that does not answer fails the check', async () => {
  const osv = await openOsv({ of: 'pdfjs-dist', severity: 'LOW', daysAgo: 1 });
  osv.close();
  expect((await check(osv.url)).code).toBe(1);
});

async function check(url: string): Promise<{ code: number; stdout: string }> {
  const run = promisify(execFile)(process.execPath, ['--import', 'tsx', 'scripts/check-advisories.ts', list], {
    cwd: root,
    env: { ...process.env, OSV_URL: url },
  });
  return run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, stdout }),
  );
}

/** A server that answers as OSV does: of all parts one has a known vulnerability. */
async function openOsv({ of, severity, daysAgo, fixed }: Advisory): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(request.method === 'POST' ? listed(body) : advisory()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };

  function listed(body: string) {
    const { queries } = JSON.parse(body) as { queries: { package: { purl: string } }[] };
    const results = queries.map(({ package: { purl } }) =>
      purl.startsWith(`pkg:npm/${of}@`) ? { vulns: [{ id: 'GHSA-test' }] } : {},
    );
    return { results };
  }

  function advisory() {
    const published = new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000).toISOString();
    const events = [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])];
    const affected = [{ package: { name: of }, ranges: [{ events }] }];
    return { id: 'GHSA-test', published, database_specific: { severity }, affected };
  }
}

async function read(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}
