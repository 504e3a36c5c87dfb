// Forms that are cut, damaged or built to confuse. Each is answered with a sentence, and the server stays.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { upload } from '../../support/uploads.ts';

const ID = '3f0f5a7e-6c1b-4d7e-9a53-0c7a3a1f1b11';

let server: TestServer;
let alice: Client;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-forms-'));
  const env = { DATA_DIR: folder, FILE_UPLOAD_IP_MAX: '10000', FILE_UPLOAD_USER_MAX: '10000' };
  server = await startTestServer({ env });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

const part = (head: string, body: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}\r\n`;
const whole = [
  part('name="file_id"', ID),
  part('name="endpoint"', 'openAI'),
  part('name="file"; filename="a.txt"', 'some text'),
  '--x--\r\n',
].join('');

it('a form that is cut anywhere gets a response', async () => {
  for (let length = 0; length < whole.length; length += 7) {
    const { status, message } = await post(whole.slice(0, length));
    // Its last line break may be missing.
    expect([status === 500 || length > whole.length - 8, typeof message]).toEqual([true, 'string']);
  }
  await assertWell();
});

it('a form with any byte damaged gets a response', async () => {
  for (let at = 0; at < whole.length; at += 5) {
    const { status } = await post(`${whole.slice(0, at)}\0${whole.slice(at + 1)}`);
    expect([200, 500]).toContain(status);
  }
  await assertWell();
});

it.each([
  ['two files', whole.replace('--x--', `${part('name="file"; filename="b.txt"', 'more')}--x--`), 200],
  ['a file in another field', whole.replace('name="file"', 'name="other"'), 500],
  ['thousands of fields', `${part('name="a"', 'b').repeat(5000)}${whole}`, 500],
  ['a field of a megabyte', `${part('name="endpoint"', 'e'.repeat(1024 * 1024))}${whole}`, 200],
  ['a field named like a property of objects', `${part('name="__proto__"', 'x')}${whole}`, 200],
  ['an endpoint named like a property of objects', whole.replace('openAI', 'constructor'), 200],
  ['a name that leads elsewhere', whole.replace('a.txt', '..%2f..%2f..%2fetc%2fpasswd.txt'), 200],
  ['a name with NUL and line breaks', whole.replace('a.txt', 'a%00b%0d%0aX-Evil%3a 1.txt'), 200],
  ['a name of half a letter', whole.replace('a.txt', '%E0%A4%A.txt'), 200],
  ['no name', whole.replace('a.txt', ''), 500],
  ['a header that never ends', `--x\r\nContent-Disposition: form-data; name="${'a'.repeat(200_000)}`, 500],
  ['parts within parts', whole.replace('some text', ' --x--x--\r\n----x'), 200],
])('%s', async (_, body, status) => {
  const answer = await post(body.replace(ID, crypto.randomUUID()));
  expect([answer.status, answer.message]).toEqual([status, expect.any(String)]);
  expect(JSON.stringify(answer)).not.toMatch(/\/etc|\.\.\//);
  if (answer.status === 200) {
    const shown = await fetch(`${server.url}/api/files/download/${alice.id}/${answer.file_id}`, alice);
    expect([shown.status, shown.headers.get('x-evil')]).toEqual([200, null]);
  }
  await assertWell();
});

it.each(['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/mixed; boundary=x', 'text/plain', ''])(
  'with the type "%s" gets a response',
  async (type) => {
    const { status, message } = await post(whole, type);
    expect([status, typeof message]).toEqual([500, 'string']);
    await assertWell();
  },
);

async function post(body: string, type = 'multipart/form-data; boundary=x') {
  const headers = { ...alice.headers, 'content-type': type };
  const response = await fetch(`${server.url}/api/files`, { method: 'POST', headers, body });
  return { status: response.status, ...((await response.json()) as { message: string; file_id?: string }) };
}

/** Another upload succeeds, and no temporary file is left. */
async function assertWell(): Promise<void> {
  expect((await upload(server.url, alice, { bytes: 'well', name: 'well.txt' })).bytes).toBe(4);
  expect(await readdir(join(folder, 'uploads', 'arriving'))).toEqual([]);
}
