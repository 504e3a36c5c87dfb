// The requests of an existing web client byte for byte, as Chromium writes its forms, and the answers field by field.
import { randomUUID } from 'node:crypto';
import { request, type IncomingMessage } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const BOUNDARY = '----WebKitFormBoundary7MA4YWxkTrZu0gW';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server?.close());

it('an image: its size stands before the endpoint, its name is encoded like a part of an address', async () => {
  const id = randomUUID();
  const bytes = await photo(1200, 800);
  const { status, json } = await post('/api/files/images', [
    part('name="file"; filename="Caf%C3%A9%20%26%20sea%20(1).jpg"', bytes, 'image/jpeg'),
    part('name="file_id"', id),
    part('name="width"', '1200'),
    part('name="height"', '800'),
    part('name="endpoint"', 'openAI'),
  ]);
  expect(status).toBe(200);
  const { file_id: fileId } = json as { file_id: string };
  expect(json).toEqual({
    message: 'File uploaded and processed successfully',
    user: alice.id,
    file_id: expect.stringMatching(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/),
    temp_file_id: id,
    bytes: expect.any(Number),
    filename: 'Café & sea (1).jpg',
    filepath: expect.stringMatching(new RegExp(`^/images/${alice.id}/${fileId}__[^/]+\\.png$`)),
    object: 'file',
    type: 'image/png',
    context: 'message_attachment',
    usage: 0,
    source: 'local',
    embedded: false,
    width: 1152,
    height: 768,
    expiresAt: expect.any(String),
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const { message: _, ...document } = json as Record<string, unknown>;
  expect(await alice.json('/api/files')).toEqual([document]);

  const image = await send('GET', String(document.filepath), {});
  expect([image.status, image.headers['content-type'], image.body.length]).toEqual([200, 'image/png', document.bytes]);
  const download = await send('GET', `/api/files/download/${alice.id}/${fileId}`, {});
  expect(download.headers['content-type']).toBe('application/octet-stream');
  expect(download.headers['content-disposition']).toContain("filename*=UTF-8''Caf%C3%A9%20%26%20sea%20%281%29.jpg");
  expect(JSON.parse(String(download.headers['x-file-metadata']))).toEqual(document);

  const body = Buffer.from(
    JSON.stringify({ files: [{ file_id: fileId, embedded: false, filepath: document.filepath, source: 'local' }] }),
  );
  const removal = await send('DELETE', '/api/files', { 'content-type': 'application/json' }, body);
  expect([removal.status, removal.json]).toEqual([200, { message: 'Files deleted successfully' }]);
  expect(await alice.json('/api/files')).toEqual([]);
});

it('a profile image: the field "input", and that it was chosen', async () => {
  const { status, json } = await post('/api/files/images/avatar', [
    part('name="input"; filename="me.jpg"', await photo(640, 480), 'image/jpeg'),
    part('name="manual"', 'true'),
  ]);
  expect([status, json]).toEqual([200, { url: expect.stringMatching(/^\/images\/.+__avatar\.png\?manual=true$/) }]);
  expect(await alice.json('/api/user')).toMatchObject({ avatar: (json as { url: string }).url });
});

function photo(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#357' } })
    .jpeg()
    .toBuffer();
}

function part(disposition: string, content: string | Buffer, type?: string): Buffer {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  return Buffer.concat([
    Buffer.from(`${head}${type ? `Content-Type: ${type}\r\n` : ''}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
}

function post(path: string, parts: Buffer[]) {
  const body = Buffer.concat([...parts, Buffer.from(`--${BOUNDARY}--\r\n`)]);
  return send('POST', path, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` }, body);
}

/** Over node:http, which sends a body with any method and adds nothing to it. */
async function send(method: string, path: string, headers: Record<string, string>, content?: Buffer) {
  const length = content === undefined ? {} : { 'content-length': content.length };
  const sent = request(server.url + path, { method, headers: { ...alice.headers, ...headers, ...length } });
  sent.end(content);
  const answer = await new Promise<IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  );
  const pieces: Buffer[] = [];
  for await (const piece of answer as AsyncIterable<Buffer>) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const isJson = answer.headers['content-type']?.startsWith('application/json');
  const json: unknown = isJson ? JSON.parse(body.toString()) : null;
  return { status: answer.statusCode, headers: answer.headers, body, json };
}
