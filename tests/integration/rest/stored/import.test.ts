import type { ImportLine } from '@parley/schema/transfer/results';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { message, reference } from '../../transfer/files.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { signUp, type Client } from '../../../support/rest/client.ts';
import { assertDocumentedLine, fetchDocumented } from '../../../support/rest/documented.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer();
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server?.close());

test('an import streams a line for each conversation and one for the end', async () => {
  const file = [conversation('one'), { nothing: true }, conversation('two')];
  const response = await importFile(JSON.stringify(file));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  const lines = linesOf(await response.text());
  for (const line of lines) assertDocumentedLine(response, line);
  expect(lines).toMatchObject([
    { index: 0, title: 'Title of one', outcome: 'imported', messages: 2, dropped: 0 },
    { index: 1, title: null, outcome: 'skipped', reason: 'unknown_kind' },
    { index: 2, title: 'Title of two', outcome: 'imported' },
    { end: true, items: 3, fault: null },
  ]);
  const [first] = lines;
  const conversationId = first && 'conversationId' in first ? first.conversationId : '';
  const messages = await alice.messages(conversationId);
  expect(messages.map(({ text, isCreatedByUser }) => [text, isCreatedByUser])).toEqual([
    ['Question of one', true],
    ['Answer of one', false],
  ]);
});

test('a failure keeps the words of the system that it comes from', async () => {
  const failed = message('sent', null, 'Question');
  const told = message('told', 'sent', 'The model is overloaded.', { isCreatedByUser: false, error: true });
  const [line] = linesOf(await (await importFile(JSON.stringify(reference('failing', [failed, told])))).text());
  const conversationId = line && 'conversationId' in line ? line.conversationId : '';
  const [, reply] = await alice.messages(conversationId);
  expect(reply).toMatchObject({ error: true, text: 'The model is overloaded.' });
});

test('lines arrive while the file is still being sent', async () => {
  const sent = new TransformStream<string, string>();
  const writer = sent.writable.getWriter();
  const asked = importFile(sent.readable.pipeThrough(new TextEncoderStream()));
  await writer.write('[');
  for (let index = 0; index < 60; index += 1) await writer.write(`${JSON.stringify(conversation(`early ${index}`))},`);
  const response = await asked;
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('"outcome":"imported"');

  const second = await importFile('[]');
  expect([second.status, second.headers.get('retry-after')]).toEqual([429, '5']);

  await writer.write('null]');
  await writer.close();
  let rest = '';
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) rest += next.value;
  expect(linesOf(rest).at(-1)).toEqual({ end: true, items: 61, fault: null });
});

test('a disconnected import keeps what arrived, and can be repeated', async () => {
  const leaving = new AbortController();
  const sent = new TransformStream<string, string>();
  const writer = sent.writable.getWriter();
  const asked = importFile(sent.readable.pipeThrough(new TextEncoderStream()), { signal: leaving.signal });
  const file = Array.from({ length: 60 }, (_, index) => conversation(`left ${index}`));
  await writer.write(`${JSON.stringify(file).slice(0, -1)},{"half":`);
  const response = await asked;
  await response.body?.getReader().read();
  leaving.abort();
  await writer.abort().catch(() => {});

  const again = await until(
    () => importFile(JSON.stringify(file)),
    ({ status }) => status !== 429,
  );
  const lines = linesOf(await again.text());
  expect(lines.slice(0, -1).map((line) => 'outcome' in line && line.outcome)).toEqual(file.map(() => 'present'));
});

test('visitors and bodies that are no file are refused', async () => {
  const stranger = await fetchDocumented(`${server.url}/api/import`, {
    method: 'POST',
    body: '[]',
    headers: { 'content-type': 'application/json' },
  });
  expect(stranger.status).toBe(401);
  const form = new FormData();
  form.set('file', new Blob(['[]']), 'conversations.json');
  const multipart = await fetchDocumented(`${server.url}/api/import`, {
    method: 'POST',
    body: form,
    headers: alice.headers,
  });
  expect(multipart.status).toBe(415);
  const empty = await importFile('');
  expect(linesOf(await empty.text())).toEqual([{ end: true, items: 0, fault: 'empty' }]);
});

function conversation(name: string) {
  return reference(name, [
    message('q', null, `Question of ${name}`),
    message('a', 'q', `Answer of ${name}`, { isCreatedByUser: false, sender: 'GPT-4' }),
  ]);
}

function importFile(body: BodyInit, init: RequestInit = {}): Promise<Response> {
  const headers = { ...alice.headers, 'content-type': 'application/json' };
  // A body that is still being written needs `duplex`, which the types of browsers do not know.
  const request = { method: 'POST', body, headers, duplex: 'half', ...init };
  return fetchDocumented(`${server.url}/api/import`, request);
}

function linesOf(text: string): ImportLine[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as ImportLine);
}

async function until<T>(ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (isDone(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
