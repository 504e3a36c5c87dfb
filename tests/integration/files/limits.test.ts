import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, request, type ClientRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { violations } from '@parley/db/tables/limits';
import { assertDiskSpace, NoSpace } from '@parley/server/files/quota';
import { receiveUpload } from '@parley/server/files/upload/receive-upload';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFolder } from '../../support/folders.ts';
import { signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { formOf, postForm, upload } from '../../support/uploads.ts';

describe('the rate limit of uploads', () => {
  let server: TestServer;
  let alice: Client;
  beforeAll(async () => {
    const env = { FILE_UPLOAD_IP_MAX: '7', FILE_UPLOAD_USER_MAX: '3', NON_BROWSER_VIOLATION_SCORE: '0' };
    server = await startTestServer({ env });
    alice = await signUp(server.url, 'alice');
    Object.assign(alice.headers, { 'user-agent': 'Mozilla/5.0' });
  });
  afterAll(() => server?.close());

  it('holds for a user and an address; exceeding it is a violation', async () => {
    for (let count = 0; count < 3; count++) await upload(server.url, alice, { bytes: `${count}`, name: 'a.txt' });
    const response = await post(alice);
    expect([response.status, await response.json()]).toEqual([
      429,
      { message: expect.stringMatching(/^Too many attempts\. Please try again in \d+ minutes\.$/) },
    ]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(60);
    const [violation] = await server.db.query.select().from(violations).where(eq(violations.userId, alice.id));
    expect(violation).toMatchObject({ type: 'file_upload_limit', score: 1 });

    const bob = await signUp(server.url, 'bob');
    Object.assign(bob.headers, { 'user-agent': 'Mozilla/5.0' });
    // Four of the seven of the address are used up, one of them in vain.
    for (let count = 0; count < 3; count++) expect((await post(bob)).status).toBe(200);
    const carol = await signUp(server.url, 'carol');
    Object.assign(carol.headers, { 'user-agent': 'Mozilla/5.0' });
    expect((await post(carol)).status).toBe(429);
  });

  it('does not count clients that are refused as non-browsers', async () => {
    const headers = { authorization: alice.headers.authorization, 'user-agent': 'curl/8' };
    const response = await postForm(server.url, { headers }, '/api/files', formOf({ bytes: 'x', name: 'a.txt' }));
    expect([response.status, await response.json()]).toEqual([403, { message: 'Illegal request' }]);
  });

  it.each(['/api/files', '/api/files/config', '/api/assistants', '/api/assistants/tools'])(
    'refuses a program that is no browser, and counts it: %s',
    async (path) => {
      const counted = async () => {
        const ofAlice = and(eq(violations.userId, alice.id), eq(violations.type, 'non_browser'));
        const [row] = await server.db.query.select().from(violations).where(ofAlice);
        return row?.count ?? 0;
      };
      const before = await counted();
      const headers = { authorization: alice.headers.authorization ?? '', 'user-agent': 'curl/8' };
      const response = await fetch(`${server.url}${path}`, { headers });
      expect([response.status, await response.json()]).toEqual([403, { message: 'Illegal request' }]);
      expect(await counted()).toBe(before + 1);
      expect((await alice.get(path)).status).toBe(200);
    },
  );

  function post(client: Client) {
    return postForm(server.url, client, '/api/files', formOf({ bytes: randomUUID(), name: 'a.txt' }));
  }
});

describe('simultaneous uploads', () => {
  let folder: string;
  let server: TestServer;
  let alice: Client;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-uploads-'));
    server = await startTestServer({ env: { FILES_MAX_MB_PER_USER: '1', DATA_DIR: folder } });
    alice = await signUp(server.url, 'alice');
  });
  afterAll(async () => {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are received three at a time for each user, the others in their turn', async () => {
    const open = await fillPlaces();
    const fourth = postForm(server.url, alice, '/api/files', formOf({ bytes: 'x', name: 'a.txt' }));
    open.pop()?.destroy();
    expect((await fourth).status).toBe(200);
    for (const one of open) one.destroy();
  });

  it('of all files that a message may have are taken', async () => {
    const all = Array.from({ length: 10 }, (_, at) =>
      postForm(server.url, alice, '/api/files', formOf({ bytes: `${at}`, name: `${at}.txt` })),
    );
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual(all.map(() => 200));
  });

  it('of thirty at once wait or are refused, and no connection is closed before its answer', async () => {
    const bytes = Buffer.alloc(200_000, 'x');
    const all = Array.from({ length: 30 }, (_, at) =>
      postForm(server.url, alice, '/api/files', formOf({ bytes, name: `${at}.txt` })),
    );
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect([...new Set(statuses)].toSorted()).toEqual([200, 429]);
  });

  it('are refused while too many wait', async () => {
    const open = await fillPlaces();
    const refused: IncomingMessage[] = [];
    for (let count = 0; count < 24; count++) open.push(hang((response) => refused.push(response)));
    await expect.poll(() => refused.length).toBe(4);
    const [response] = refused as [IncomingMessage];
    expect([response.statusCode, response.headers['retry-after'], await json(response)]).toEqual([
      429,
      '5',
      { message: 'Too many uploads at once. Please try again in a moment.' },
    ]);
    for (const one of open) one.destroy();
    const later = () => postForm(server.url, alice, '/api/files', formOf({ bytes: 'x', name: 'a.txt' }));
    await expect.poll(async () => (await later()).status).toBe(200);
  });

  it('that declare more than the quota are refused before they arrive', async () => {
    const form = formOf({ bytes: 'x'.repeat(1024 * 1024), name: 'a.txt' });
    const response = await postForm(server.url, alice, '/api/files', form);
    expect([response.status, await response.json()]).toEqual([
      507,
      { message: 'Your files would take more than the 1 MB that you may store. Please delete some.' },
    ]);
  });

  /** Three uploads that do not end. */
  async function fillPlaces(): Promise<ClientRequest[]> {
    const arriving = () => readdir(join(folder, 'uploads', 'arriving')).catch(() => []);
    await expect.poll(arriving).toHaveLength(0);
    const open = [hang(), hang(), hang()];
    await expect.poll(arriving).toHaveLength(3);
    return open;
  }

  /** An upload that sends nothing more than its beginning. */
  function hang(onResponse: (response: IncomingMessage) => void = () => undefined): ClientRequest {
    const headers = { ...alice.headers, 'content-type': 'multipart/form-data; boundary=x', 'content-length': '1000' };
    const sending = request(`${server.url}/api/files`, { method: 'POST', headers });
    sending.on('error', () => undefined);
    sending.on('response', onResponse);
    sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegun');
    return sending;
  }
});

describe('a sender', () => {
  const limits = { silenceMs: 200, windowMs: 100_000, windowBytes: 0 };
  let folder: string;
  let server: Server;
  let outcome: Promise<unknown>;
  let used = limits;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-arriving-'));
    server = createServer((incoming, response) => {
      outcome = receiveUpload(incoming, { folder, fieldName: 'file', maxBytes: () => 1e9, senderLimits: used }).then(
        ({ file }) => response.end(file?.hash),
        (error: unknown) => error,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  });

  it.each([
    ['silent', limits, 0],
    ['too slow', { silenceMs: 100_000, windowMs: 200, windowBytes: 1000 }, 20],
  ])('who is %s is disconnected, and nothing is stored', async (_, given, everyMs) => {
    used = given;
    const { port } = server.address() as AddressInfo;
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': '100000' };
    const sending = request({ port, host: '127.0.0.1', method: 'POST', headers });
    const ended = new Promise((resolve) => sending.once('error', resolve));
    sending.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbegun');
    const timer = everyMs > 0 ? setInterval(() => sending.write('x'), everyMs) : undefined;
    await ended;
    clearInterval(timer);
    expect(await outcome).toBeInstanceOf(Error);
    expect(await readdir(folder)).toEqual([]);
  });
});

describe('the disk', () => {
  it('keeps a gigabyte free', async () => {
    const gigabyte = 1024 ** 3;
    const free = () => Promise.resolve(gigabyte + 10);
    await assertDiskSpace('/tmp', 10, free);
    await expect(assertDiskSpace('/tmp', 11, free)).rejects.toBeInstanceOf(NoSpace);
  });

  it('is measured before anything has made the data folder', async () => {
    await assertDiskSpace(join(createFolder(), 'data'), 0);
  });
});
