import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, signUp, type Client } from '../../support/rest/client.ts';
import { fetchDocumented } from '../../support/rest/documented.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { upload, type FileDocument } from '../../support/uploads.ts';

let server: TestServer;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { FILE_UPLOAD_IP_MAX: '1000', FILE_UPLOAD_USER_MAX: '1000' } });
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
});
afterAll(() => server?.close());

describe('a download', () => {
  const text = '0123456789'.repeat(10);
  let file: FileDocument;
  beforeAll(async () => {
    file = await upload(server.url, alice, { bytes: text, name: 'Zoë’s "1; 2".csv', type: 'text/csv' });
  });

  it('has the bytes, the name and the document header, and is an attachment', async () => {
    const response = await download(alice, file.file_id);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
    const { headers } = response;
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-length')).toBe('100');
    expect(headers.get('content-disposition')).toBe(
      `attachment; filename="Zo__s _1; 2_.csv"; filename*=UTF-8''Zo%C3%AB%E2%80%99s%20%221%3B%202%22.csv`,
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    const metadata: unknown = JSON.parse(headers.get('x-file-metadata') ?? '');
    expect(metadata).toMatchObject({
      file_id: file.file_id,
      filename: file.filename,
      filepath: 'vectordb',
      bytes: 100,
    });
  });

  it.each([
    ['bytes=0-9', 'bytes 0-9/100', '0123456789'],
    ['bytes=95-', 'bytes 95-99/100', '56789'],
    ['bytes=-3', 'bytes 97-99/100', '789'],
    ['bytes=98-500', 'bytes 98-99/100', '89'],
  ])('of %s returns that part', async (range, told, part) => {
    const response = await download(alice, file.file_id, { range });
    expect([response.status, response.headers.get('content-range'), await response.text()]).toEqual([206, told, part]);
    expect(response.headers.get('content-length')).toBe(String(part.length));
  });

  it.each(['bytes=0-1,5-6', 'bytes=9-2', 'lines=1-2', 'bytes=-'])('of %s returns the whole file', async (range) => {
    const response = await download(alice, file.file_id, { range });
    expect([response.status, await response.text()]).toEqual([200, text]);
  });

  it('is refused beyond the end, and a range of a changed file returns the whole', async () => {
    const beyond = await download(alice, file.file_id, { range: 'bytes=100-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */100']);
    const other = await download(alice, file.file_id, { range: 'bytes=0-1', 'if-range': '"another"' });
    expect(other.status).toBe(200);
  });

  it('is not sent again to a client that has it already', async () => {
    const etag = (await download(alice, file.file_id)).headers.get('etag') ?? '';
    const same = await download(alice, file.file_id, { 'if-none-match': `"other", W/${etag}` });
    expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
    expect((await download(alice, file.file_id, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('requires its user', async () => {
    const foreign = await download(bob, file.file_id, {}, alice.id);
    expect([foreign.status, await foreign.json()]).toEqual([403, { message: 'Forbidden' }]);
    for (const id of [file.file_id, randomUUID(), 'no-id', '..%2f..%2fsecrets.json']) {
      const response = await download(bob, id);
      expect([response.status, await response.json()]).toEqual([404, { message: 'The file was not found.' }]);
    }
    const visitor = await fetch(`${server.url}/api/files/download/${alice.id}/${file.file_id}`);
    expect([visitor.status, await visitor.text()]).toEqual([401, 'Unauthorized']);
  });

  it('stays an attachment when it is a page with a script', async () => {
    const page = await upload(server.url, alice, {
      bytes: '<script>alert(1)</script>',
      name: 'a.html',
      type: 'text/html',
    });
    const response = await download(alice, page.file_id);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
    const asImage = await alice.get(`/images/${alice.id}/${page.file_id}__a.png`);
    expect(asImage.status).toBe(404);
  });

  it('comes by the sign-in cookie, as a link sends it', async () => {
    const path = `${server.url}/api/files/download/${alice.id}/${file.file_id}`;
    const response = await fetchDocumented(path, { headers: { cookie: await cookieOf('alice') } });
    expect([response.status, await response.text()]).toEqual([200, text]);
    expect((await fetch(path, { headers: { cookie: await cookieOf('bob') } })).status).toBe(403);
    expect((await fetch(path, { headers: { cookie: 'refreshToken=forged' } })).status).toBe(401);
  });

  it('arrives whole at several megabytes, and may be aborted', async () => {
    const bytes = randomBytes(3 * 1024 * 1024).toString('base64');
    const large = await upload(server.url, alice, { bytes, name: 'large.txt' });
    expect(await (await download(alice, large.file_id)).text()).toBe(bytes);
    const left = await download(alice, large.file_id);
    await left.body?.cancel();
    expect((await download(alice, large.file_id)).status).toBe(200);
  });
});

describe('an image', () => {
  let path: string;
  let cookie: string;
  beforeAll(async () => {
    const bytes = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const fields = { width: '9', height: '9' };
    path = (await upload(server.url, alice, { bytes, name: 'a.png', fields })).filepath;
    cookie = await cookieOf('alice');
  });

  it('is authorized by the refresh cookie, as <img> sends it, and cached by the browser', async () => {
    const response = await fetchDocumented(server.url + path, { headers: { cookie } });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect(response.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const etag = response.headers.get('etag') ?? '';
    const again = await fetch(server.url + path, { headers: { cookie, 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('answers HEAD without its bytes', async () => {
    const response = await fetch(server.url + path, { method: 'HEAD', headers: { cookie } });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('requires its user', async () => {
    const of = async (headers: Record<string, string>, at = path) =>
      (await fetchDocumented(server.url + at, { headers })).status;
    expect(await of({})).toBe(401);
    expect(await of({ cookie: 'refreshToken=forged' })).toBe(401);
    expect(await of({ cookie: await cookieOf('bob') })).toBe(403);
    expect(await of({ ...bob.headers }, path.replace(alice.id, bob.id))).toBe(404);
    expect(await of({ cookie }, `/images/${alice.id}/${randomUUID()}__a.png`)).toBe(404);
    expect(await of({ cookie }, `/images/${alice.id}/..%2f..%2fsecrets.json`)).toBe(404);
  });

  it('is refused after the sign-out', async () => {
    const headers = { cookie: await cookieOf('alice') };
    expect((await fetch(server.url + path, { headers })).status).toBe(200);
    const refreshed = await fetch(`${server.url}/api/auth/refresh`, { method: 'POST', headers });
    const { token } = (await refreshed.json()) as { token: string };
    const next = (refreshed.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
    await fetch(`${server.url}/api/auth/logout`, {
      method: 'POST',
      headers: { cookie: next, authorization: `Bearer ${token}` },
    });
    expect((await fetch(server.url + path, { headers: { cookie: next } })).status).toBe(401);
    expect((await fetch(server.url + path, { headers })).status).toBe(401);
  });
});

describe('deleting', () => {
  it('removes the files with these ids and their bytes', async () => {
    const one = await upload(server.url, alice, { bytes: 'to be deleted', name: 'a.txt' });
    const two = await upload(server.url, alice, { bytes: 'to be kept', name: 'b.txt' });
    const response = await remove(alice, [one, { file_id: 'file-abc' }, { file_id: 'nonsense' }]);
    expect([response.status, await response.json()]).toEqual([200, { message: 'Files deleted successfully' }]);
    expect((await download(alice, one.file_id)).status).toBe(404);
    expect((await download(alice, two.file_id)).status).toBe(200);
  });

  it('keeps bytes that another file uses', async () => {
    const one = await upload(server.url, alice, { bytes: 'the same bytes', name: 'a.txt' });
    const two = await upload(server.url, alice, { bytes: 'the same bytes', name: 'b.txt' });
    await remove(alice, [one]);
    expect(await (await download(alice, two.file_id)).text()).toBe('the same bytes');
  });

  it('does not affect files of another user', async () => {
    const hers = await upload(server.url, alice, { bytes: 'hers alone', name: 'a.txt' });
    expect((await remove(bob, [hers])).status).toBe(200);
    expect((await download(alice, hers.file_id)).status).toBe(200);
  });

  it('answers invalid ids with an empty result, and a missing list with an error', async () => {
    const nothing = await remove(alice, [{ file_id: 'nonsense' }, {}]);
    expect([nothing.status, await nothing.text()]).toEqual([204, '']);
    const wrong = await fetch(`${server.url}/api/files`, {
      method: 'DELETE',
      headers: { ...alice.headers, 'content-type': 'application/json' },
      body: '{}',
    });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { message: 'Error in request' }]);
  });
});

function download({ headers }: Client, id: string, more: Record<string, string> = {}, userId = '') {
  const of = userId || (headers === alice.headers ? alice.id : bob.id);
  return fetchDocumented(`${server.url}/api/files/download/${of}/${id}`, { headers: { ...headers, ...more } });
}

function remove({ headers }: Client, files: object[]) {
  const body = JSON.stringify({ files });
  const json = { ...headers, 'content-type': 'application/json' };
  return fetchDocumented(`${server.url}/api/files`, { method: 'DELETE', headers: json, body });
}

async function cookieOf(name: string): Promise<string> {
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `${name}@example.com`, password: PASSWORD }),
  });
  return (response.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';
}
