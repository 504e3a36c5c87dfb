import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { blobs, files } from '@parley/db/tables/files';
import { PROBLEM_HEADER } from '@parley/schema/files/file-problem';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { formOf, postForm, upload, type FileDocument } from '../../support/uploads.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-uploads-'));
const yaml = `
version: "1.0.7"
fileConfig:
  serverFileSizeLimit: 4
  avatarSizeLimit: 1
  endpoints:
    anthropic: { fileSizeLimit: 1 }
    google: { disabled: true }
    default: { totalSizeLimit: 3 }
`;

let server: TestServer;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  const env = { DATA_DIR: folder, FILE_UPLOAD_IP_MAX: '1000', FILE_UPLOAD_USER_MAX: '1000' };
  server = await startTestServer({ env, yaml });
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('an uploaded file', () => {
  it('is answered with its document, in the fields of existing clients', async () => {
    const id = randomUUID();
    const document = await upload(server.url, alice, {
      bytes: '# Notes',
      name: 'Zoë’s “notes” 100%.md',
      type: 'text/markdown',
      fields: { file_id: id },
    });
    expect(document).toEqual({
      message: 'File uploaded and processed successfully',
      user: alice.id,
      file_id: expect.stringMatching(/^[\da-f-]{36}$/),
      temp_file_id: id,
      bytes: 7,
      filename: 'Zoë’s “notes” 100%.md',
      filepath: 'vectordb',
      object: 'file',
      type: 'text/markdown',
      context: 'message_attachment',
      usage: 0,
      source: 'vectordb',
      embedded: false,
      expiresAt: expect.stringMatching(/Z$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect(document.file_id).not.toBe(id);
    const indexed = { ...without(document, 'message'), embedded: true };
    await expect.poll(() => listed(alice)).toContainEqual(indexed);
  });

  it('that is to be kept does not expire, and is one file for the same name and bytes until it is deleted', async () => {
    const form = { bytes: '<h1>Kept</h1>', name: 'kept.html', fields: { keep: 'true', endpoint: 'default' } };
    const unkept = await upload(server.url, alice, { ...form, fields: {} });
    expect(unkept.expiresAt).toBeDefined();
    const kept = await upload(server.url, alice, form);
    expect(kept).toMatchObject({ type: 'text/html', context: 'message_attachment', usage: 0 });
    expect(kept.expiresAt).toBeUndefined();
    expect(kept.file_id).not.toBe(unkept.file_id);
    const again = await upload(server.url, alice, form);
    expect([again.file_id, again.temp_file_id]).toEqual([kept.file_id, kept.temp_file_id]);
    const others = [
      await upload(server.url, alice, { ...form, name: 'other.html' }),
      await upload(server.url, alice, { ...form, bytes: '<h1>Changed</h1>' }),
      await upload(server.url, bob, form),
    ];
    expect(new Set([kept, ...others].map((one) => one.file_id)).size).toBe(4);
    await server.db.query.delete(files).where(eq(files.id, kept.file_id));
    expect((await upload(server.url, alice, form)).file_id).not.toBe(kept.file_id);
  });

  it('is one file when the same upload is repeated, also at the same time', async () => {
    const form = { bytes: 'sent again', name: 'again.txt', fields: { file_id: randomUUID() } };
    const [first, second] = await Promise.all([upload(server.url, alice, form), upload(server.url, alice, form)]);
    const third = await upload(server.url, alice, form);
    expect([second.file_id, third.file_id]).toEqual([first.file_id, first.file_id]);
  });

  it('shares its bytes with files of the same user only', async () => {
    const bytes = randomBytes(1000).toString('hex');
    const mine = await upload(server.url, alice, { bytes, name: 'one.txt' });
    const again = await upload(server.url, alice, { bytes, name: 'two.txt' });
    const his = await upload(server.url, bob, { bytes, name: 'three.txt' });
    expect(new Set([mine.file_id, again.file_id, his.file_id]).size).toBe(3);
    const rows = await server.db.query.select().from(files).where(eq(files.id, mine.file_id));
    const stored = await server.db.query
      .select()
      .from(blobs)
      .where(eq(blobs.hash, rows[0]?.hash ?? ''));
    expect(stored.map(({ userId, state }) => [userId, state]).toSorted()).toEqual(
      [
        [alice.id, 'stored'],
        [bob.id, 'stored'],
      ].toSorted(),
    );
  });

  it('of the assistants endpoint belongs to an assistant unless it belongs to a message', async () => {
    const own = { endpoint: 'assistants', assistant_id: 'asst_1', model: 'gpt-4' };
    const file = await upload(server.url, alice, { bytes: 'knowledge', name: 'a.txt', fields: own });
    expect([file.context, file.source]).toEqual(['assistants', 'local']);
    const ofMessage = { ...own, message_file: 'true' };
    const other = await upload(server.url, alice, { bytes: 'question', name: 'b.txt', fields: ofMessage });
    expect(other.context).toBe('message_attachment');
  });

  it('leaves no temporary file, whatever happens', async () => {
    await upload(server.url, alice, { bytes: 'kept', name: 'kept.txt' });
    await refused({ bytes: randomBytes(100), name: 'noise.txt' });
    expect(readdirSync(join(folder, 'uploads', 'arriving'))).toEqual([]);
  });
});

describe('a refused upload', () => {
  it.each([
    ['without an id', { file_id: undefined }, 'The form needs a file_id, which is a UUID.'],
    ['with an id that is none', { file_id: '../../etc' }, 'The form needs a file_id, which is a UUID.'],
    ['without an endpoint', { endpoint: undefined }, 'The form needs an endpoint.'],
    ['on an endpoint without files', { endpoint: 'google' }, 'Files cannot be attached on google.'],
  ])('%s gets a sentence, with fields before or after the file', async (_, fields, message) => {
    const form = { bytes: 'text', name: 'a.txt', fields };
    expect(await refused(form)).toMatchObject([500, { message }]);
    expect(await refused({ ...form, fieldsFirst: true })).toMatchObject([500, { message }]);
    expect(readdirSync(join(folder, 'uploads', 'arriving'))).toEqual([]);
  });

  it('gets a sentence when there is no file or no form', async () => {
    const form = new FormData();
    form.append('file_id', randomUUID());
    form.append('endpoint', 'openAI');
    const bare = await postForm(server.url, alice, '/api/files', form);
    expect([bare.status, await bare.json()]).toEqual([500, { message: 'The form has no file.' }]);
    const json = await alice.post('/api/files', { file: 'text' });
    expect([json.status, await json.json()]).toEqual([
      500,
      { message: 'The request must be a form with a file (multipart/form-data).' },
    ]);
    const broken = await fetch(`${server.url}/api/files`, {
      method: 'POST',
      headers: { ...alice.headers, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf a fi',
    });
    expect([broken.status, await broken.json()]).toEqual([500, { message: 'The form is not complete.' }]);
    const other = await fetch(`${server.url}/api/files`, {
      method: 'POST',
      headers: { ...alice.headers, 'content-type': 'multipart/form-data; boundary=x' },
      body: '--x\r\nContent-Disposition: form-data; name="another"; filename="a.txt"\r\n\r\nhalf a fi',
    });
    expect([other.status, await other.json()]).toEqual([500, { message: 'The form is not complete.' }]);
  });

  it('names the limit of its endpoint, of all files or of the server when it is too large', async () => {
    const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024 + 1);
    const of = async (bytes: string, endpoint: string) => {
      const form = { bytes, name: 'a.txt', fields: { endpoint } };
      const answer = await refused(form);
      expect(await refused({ ...form, fieldsFirst: true })).toEqual(answer);
      return answer;
    };
    const tooLarge = (size: number) => ({
      message: `File size exceeds ${size} MB.`,
      problem: { type: 'too_large', megabytes: size },
    });
    expect(await of(megabytes(1), 'anthropic')).toEqual([500, tooLarge(1)]);
    expect(await of(megabytes(3), 'openAI')).toEqual([
      500,
      {
        message: 'The total size of the files cannot exceed 3 MB.',
        problem: { type: 'too_large_together', megabytes: 3 },
      },
    ]);
    expect(await of(megabytes(4), 'openAI')).toEqual([500, tooLarge(4)]);
  });

  it.each<[string, Uint8Array, string, string]>([
    ['an unknown type', randomBytes(64), 'noise.bin', ''],
    ['noise that claims to be text', randomBytes(64), 'noise.txt', 'text/plain'],
    [
      'a program that claims to be a document',
      Buffer.from('\x7fELF\x02\x01\x01\0', 'latin1'),
      'a.pdf',
      'application/pdf',
    ],
  ])('of %s says that its type is unknown', async (_, bytes, name, type) => {
    const message = `Unable to determine file type for: ${name}`;
    expect(await refused({ bytes, name, type })).toEqual([500, { message, problem: { type: 'unknown_type', name } }]);
  });

  it.each<[string, Uint8Array | string, string, object]>([
    [
      'of a type that is not taken names it',
      Buffer.from('ID3\x03\0', 'latin1'),
      'Currently, unsupported file type: audio/mpeg',
      { type: 'unsupported_type', mime: 'audio/mpeg' },
    ],
    ['of nothing says so', '', 'a.mp3 is empty.', { type: 'empty', name: 'a.mp3' }],
    [
      'of a photo that cannot be read says what to save it as',
      Buffer.from('\0\0\0\x20ftypheic\0\0\0\0', 'latin1'),
      'HEIC files cannot be read here. Save the file as JPEG and attach it again.',
      { type: 'save_as', from: 'HEIC', to: 'JPEG' },
    ],
  ])('%s', async (_, bytes, message, problem) => {
    expect(await refused({ bytes, name: 'a.mp3', type: 'audio/mpeg' })).toEqual([500, { message, problem }]);
  });

  it('stores text that claims to be an image as text, not as an image', async () => {
    const text = { bytes: 'no picture', name: 'a.png', type: 'image/png' };
    expect((await upload(server.url, alice, text)).type).toBe('text/plain');
    const asImage = formOf({ ...text, fields: { width: '1', height: '1' } });
    const response = await postForm(server.url, alice, '/api/files/images', asImage);
    expect([response.status, await response.json()]).toEqual([
      500,
      { message: 'Currently, unsupported file type: text/plain' },
    ]);
    const drawing = { bytes: '<svg onload="alert(1)"/>', name: 'a.svg', type: 'image/svg+xml' };
    expect((await upload(server.url, alice, drawing)).type).toBe('application/xml');
    expect((await upload(server.url, alice, { bytes: 'all:', name: 'Makefile' })).type).toBe('text/plain');
  });

  it('is not stored for a visitor or a client that disconnects', async () => {
    const response = await postForm(
      server.url,
      { headers: { authorization: '' } },
      '/api/files',
      formOf({ bytes: 'x', name: 'a.txt' }),
    );
    expect([response.status, await response.text()]).toEqual([401, 'Unauthorized']);
    const before = (await listed(alice)).length;
    await leaveHalfway();
    await expect.poll(() => readdirSync(join(folder, 'uploads', 'arriving'))).toEqual([]);
    expect(await listed(alice)).toHaveLength(before);
    // Its place among the running uploads is free again.
    await upload(server.url, alice, { bytes: 'next', name: 'next.txt' });
  });
});

describe('an uploaded image', () => {
  const size = { width: '1', height: '1' };

  it('is turned upright, resized, and loses its metadata', async () => {
    const photo = await sharp({ create: { width: 3000, height: 1000, channels: 3, background: '#336699' } })
      .withMetadata({ orientation: 6, exif: { IFD0: { Make: 'Camera' }, IFD3: { GPSLatitude: '52/1 30/1 0/1' } } })
      .jpeg()
      .toBuffer();
    const document = await upload(server.url, alice, {
      bytes: photo,
      name: 'my photo.jpg',
      type: 'image/jpeg',
      fields: size,
    });
    // Orientation 6 stands on its side: 1000 by 3000, of which the long side may have 2000.
    expect(document).toMatchObject({ type: 'image/png', width: 667, height: 2000, source: 'local', embedded: false });
    expect(document.filepath).toBe(`/images/${alice.id}/${document.file_id}__my_photo.png`);
    const shown = await alice.get(document.filepath);
    const bytes = Buffer.from(await shown.arrayBuffer());
    const metadata = await sharp(bytes).metadata();
    expect(metadata).toMatchObject({ format: 'png', width: 667, height: 2000 });
    expect([metadata.exif, metadata.orientation]).toEqual([undefined, undefined]);
    expect(bytes.length).toBe(document.bytes);
  });

  it('is smaller for Anthropic, and never enlarged', async () => {
    const wide = await image(3000, 400);
    const of = (bytes: Buffer, endpoint: string) =>
      upload(server.url, alice, { bytes, name: 'a.png', fields: { ...size, endpoint } });
    expect(await of(wide, 'anthropic')).toMatchObject({ width: 1568, height: 209 });
    expect(await of(wide, 'openAI')).toMatchObject({ width: 2000, height: 267 });
    expect(await of(await image(1600, 1600), 'openAI')).toMatchObject({ width: 768, height: 768 });
    expect(await of(await image(30, 20), 'openAI')).toMatchObject({ width: 30, height: 20 });
  });

  it('is detected by its bytes on either path', async () => {
    const bytes = await image(20, 20);
    const document = await upload(server.url, alice, { bytes, name: 'a.txt', type: 'text/plain' });
    expect(document).toMatchObject({ type: 'image/png', width: 20, height: 20 });
    const pdf = formOf({ bytes: '%PDF-1.7 not a picture', name: 'a.png', type: 'image/png', fields: size });
    const response = await postForm(server.url, alice, '/api/files/images', pdf);
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { message: 'Currently, unsupported file type: application/pdf' },
    ]);
  });

  it('needs its size on the image path', async () => {
    const form = formOf({ bytes: await image(2, 2), name: 'a.png' });
    const response = await postForm(server.url, alice, '/api/files/images', form);
    expect([response.status, await response.json()]).toEqual([
      500,
      { message: 'The form needs the width and height of the image.' },
    ]);
  });

  it.each([
    ['too many pixels', () => bomb(), 'The image has too many pixels.'],
    ['half of its bytes', async () => (await image(300, 300)).subarray(0, 300), 'The image cannot be read.'],
  ])('with %s is refused', async (_, make, message) => {
    expect(await refused({ bytes: await make(), name: 'a.png' })).toMatchObject([500, { message }]);
  });
});

describe('an avatar', () => {
  it('becomes a small square, and the user gets its address', async () => {
    const url = await setAvatar(alice, await image(400, 200));
    expect(url).toMatch(new RegExp(`^/images/${alice.id}/[\\da-f-]{36}__avatar\\.png\\?manual=true$`));
    expect(await alice.json('/api/user')).toMatchObject({ avatar: url });
    const bytes = Buffer.from(await (await alice.get(url)).arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 150, height: 150 });
    expect((await listed(alice)).map(({ context }) => context)).not.toContain('avatar');
  });

  it('replaces the previous one, whose file is removed', async () => {
    const before = await setAvatar(alice, await image(200, 200));
    const after = await setAvatar(alice, await image(210, 100, '#992222'));
    expect(after).not.toBe(before);
    expect((await alice.get(before)).status).toBe(404);
    expect((await alice.get(after)).status).toBe(200);
  });

  it('is taken away', async () => {
    const url = await setAvatar(alice, await image(200, 200));
    expect((await alice.post('/trpc/files.removeAvatar', undefined)).status).toBe(200);
    expect(await alice.json('/api/user')).toMatchObject({ avatar: null });
    expect((await alice.get(url)).status).toBe(404);
  });

  it('must be an image within its own limit', async () => {
    const post = async (bytes: Uint8Array | string) => {
      const response = await postForm(server.url, alice, '/api/files/images/avatar', avatarForm(bytes));
      return [response.status, await response.json()];
    };
    expect(await post('no image')).toEqual([500, { message: 'The avatar must be an image.' }]);
    expect(await post(randomBytes(1024 * 1024 + 1))).toMatchObject([500, { message: 'File size exceeds 1 MB.' }]);
  });
});

function avatarForm(bytes: Uint8Array | string): FormData {
  const form = new FormData();
  form.append('input', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), 'avatar.png');
  form.append('manual', 'true');
  return form;
}

async function setAvatar(client: Client, bytes: Uint8Array): Promise<string> {
  const response = await postForm(server.url, client, '/api/files/images/avatar', avatarForm(bytes));
  expect(response.status).toBe(200);
  return ((await response.json()) as { url: string }).url;
}

/** The status and the body of the answer, and the problem that its header names. */
async function refused(form: Parameters<typeof formOf>[0]): Promise<[number, { message: string; problem?: unknown }]> {
  const response = await postForm(server.url, alice, '/api/files', formOf(form));
  const body = (await response.json()) as { message: string };
  expect(Object.keys(body)).toEqual(['message']);
  const problem = response.headers.get(PROBLEM_HEADER);
  return [
    response.status,
    { ...body, ...(problem && { problem: JSON.parse(decodeURIComponent(problem)) as unknown }) },
  ];
}

async function listed(client: Client): Promise<FileDocument[]> {
  return (await client.json('/api/files')) as FileDocument[];
}

/** Sends half of what it has announced, and hangs up once the server has begun to write it. */
async function leaveHalfway(): Promise<void> {
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n';
  const headers = {
    ...alice.headers,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': String(2 * 1024 * 1024),
  };
  const sending = request(`${server.url}/api/files`, { method: 'POST', headers });
  sending.on('error', () => undefined);
  sending.write(head + 'x'.repeat(1024 * 1024));
  await expect.poll(() => readdirSync(join(folder, 'uploads', 'arriving'))).toHaveLength(1);
  sending.destroy();
}

function image(width: number, height: number, background = '#336699'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A PNG of 256 million black pixels, in 30 kB. */
async function bomb(): Promise<Buffer> {
  const side = 16_000;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // One bit a pixel, in shades of gray.
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc(side * (1 + side / 8)));
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function without<T extends object, K extends keyof T>(value: T, key: K): Omit<T, K> {
  const { [key]: _, ...rest } = value;
  return rest;
}
