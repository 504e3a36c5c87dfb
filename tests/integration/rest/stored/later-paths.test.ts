// The paths that clients of 0.7.5 and 0.7.8 call beyond those of 0.7.1, field by field: versions of assistants, imports
// as a form, deleting, links by the page, and two-step sign-in.
import { randomUUID } from 'node:crypto';
import { totpAt } from '@parley/server/auth/factors/totp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { assertDocumented } from '../../../support/rest/documented.ts';
import { finalOf, PASSWORD, question, send, signUp, type Client } from '../../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ env: { ASSISTANTS_API_KEY: 'fake' } });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

const call = (method: string, path: string, body?: unknown) => send(server.url, method, path, body, alice.headers);
const talk = async (text: string) => finalOf(await alice.ask(question(text))).conversation;

describe('assistants of a version of the protocol', () => {
  it.each(['v1', 'v2'])('%s are those of the paths without one', async (version) => {
    const base = `/api/assistants/${version}`;
    const made = await call('POST', base, { model: 'gpt-4', name: 'Tutor', endpoint: 'assistants', version: 2 });
    expect(made.status).toBe(201);
    const { id } = z.object({ id: z.string() }).parse(await made.json());
    expect(await alice.json(`/api/assistants/${id}`)).toMatchObject({ id, name: 'Tutor' });
    expect(await alice.json(`${base}?order=desc&version=2&endpoint=assistants`)).toMatchObject({ object: 'list' });
    expect(await alice.json(`${base}/documents`)).toEqual(expect.any(Array));
    expect(await alice.json(`${base}/tools`)).toEqual(expect.any(Array));
    expect(await alice.json(`${base}/actions`)).toEqual([]);
    const changed = await call('PATCH', `${base}/${id}`, { model: 'gpt-4', name: 'Coach' });
    expect(await changed.json()).toMatchObject({ name: 'Coach' });
    const asked = { ...question('Hello'), endpoint: 'assistants', assistant_id: id };
    const answer = await call('POST', `${base}/chat`, asked);
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    await answer.body?.cancel();
    expect((await call('POST', `${base}/chat/abort`, { abortKey: randomUUID() })).status).toBe(204);
    expect(await (await call('DELETE', `${base}/${id}?model=gpt-4`)).json()).toMatchObject({ id, deleted: true });
  });
});

describe('an import as a form', () => {
  const post = async (content: string) => {
    const body = new FormData();
    body.append('file', new Blob([content], { type: 'application/json' }), 'chats.json');
    const path = `${server.url}/api/convos/import`;
    const response = await fetch(path, { method: 'POST', headers: alice.headers, body });
    await assertDocumented('POST', path, response);
    return response;
  };

  it('stores the conversations of a file', async () => {
    const messages = [{ messageId: 'm', parentMessageId: null, isCreatedByUser: true, text: 'Hi' }];
    const file = JSON.stringify({ conversationId: randomUUID(), title: 'By a form', endpoint: 'openAI', messages });
    const response = await post(file);
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ message: 'Conversation(s) imported successfully' });
    const { conversations } = z
      .object({ conversations: z.array(z.object({ title: z.string() })) })
      .parse(await alice.json('/api/convos?pageNumber=1'));
    expect(conversations.map(({ title }) => title)).toContain('By a form');
  });

  it('says why nothing of a file was stored', async () => {
    const response = await post('[{"a": 1}]');
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ message: 'Nothing was imported: unknown kind' });
    expect((await fetch(`${server.url}/api/convos/import`, { method: 'POST', body: new FormData() })).status).toBe(401);
  });
});

describe('deleting', () => {
  it('takes the conversation that is named, and never all for want of a name', async () => {
    const { conversationId } = await talk('One');
    await talk('Two');
    const removed = await call('DELETE', '/api/convos', { arg: { conversationId, source: 'button' } });
    expect(removed.status).toBe(201);
    expect(await removed.json()).toMatchObject({ acknowledged: true, deletedCount: 1 });
    expect((await call('DELETE', '/api/convos', { arg: { source: 'button' } })).status).toBe(200);
    const nothing = await call('DELETE', '/api/convos', { arg: {} });
    expect([nothing.status, await nothing.json()]).toEqual([400, { error: 'no parameters provided' }]);
    const all = await call('DELETE', '/api/convos/all');
    expect(all.status).toBe(201);
    expect(await alice.json('/api/convos?pageNumber=1')).toMatchObject({ conversations: [] });
  });
});

describe('a link', () => {
  it('is made, found, renewed and listed by the paths of its conversation', async () => {
    const { conversationId } = await talk('For all');
    expect(await alice.json(`/api/share/link/${conversationId}`)).toEqual({
      success: false,
      shareId: null,
      conversationId,
    });
    const made = await call('POST', `/api/share/${conversationId}`);
    const { shareId } = z.strictObject({ shareId: z.string(), conversationId: z.uuid() }).parse(await made.json());
    expect(await alice.json(`/api/share/link/${conversationId}`)).toEqual({ success: true, shareId, conversationId });
    expect(await (await call('PATCH', `/api/share/${shareId}`)).json()).toEqual({ shareId, conversationId });
    await call('POST', `/api/share/${(await talk('Another')).conversationId}`);
    const Page = z.strictObject({
      links: z.array(z.object({ shareId: z.string() })),
      nextCursor: z.string().nullable(),
      hasNextPage: z.boolean(),
    });
    const first = Page.parse(
      await alice.json('/api/share?pageSize=1&isPublic=true&sortBy=createdAt&sortDirection=desc'),
    );
    expect(first).toMatchObject({ hasNextPage: true, nextCursor: '2' });
    const second = Page.parse(await alice.json(`/api/share?pageSize=1&cursor=${first.nextCursor}`));
    expect(second).toMatchObject({ links: [{ shareId }], hasNextPage: false, nextCursor: null });
  });
});

describe('prompts', () => {
  const Made = z.object({
    prompt: z.object({ _id: z.string(), groupId: z.string() }),
    group: z.object({ _id: z.uuid() }),
  });

  it('are made, listed, given versions, put into use and deleted', async () => {
    const made = await call('POST', '/api/prompts', {
      prompt: { prompt: 'Sum up {{text}}', type: 'text' },
      group: { name: 'Summary', category: 'work', oneliner: 'Short', command: 'summary' },
    });
    expect(made.status).toBe(200);
    const { prompt, group } = Made.parse(await made.json());
    expect(prompt.groupId).toBe(group._id);
    const more = { prompt: { prompt: 'Sum up briefly', type: 'text', groupId: group._id } };
    const second = Made.parse(await (await call('POST', '/api/prompts', more)).json());
    const page = await alice.json('/api/prompts/groups?pageNumber=1&pageSize=10&name=summ');
    expect(page).toMatchObject({
      promptGroups: [
        { name: 'Summary', command: 'summary', category: 'work', productionPrompt: { prompt: 'Sum up briefly' } },
      ],
      pages: 1,
    });
    expect(await alice.json(`/api/prompts?groupId=${group._id}`)).toMatchObject([
      { _id: second.prompt._id },
      { _id: prompt._id },
    ]);
    expect(await alice.json(`/api/prompts/${prompt._id}`)).toMatchObject({ prompt: 'Sum up {{text}}' });
    expect((await call('PATCH', `/api/prompts/${prompt._id}/tags/production`)).status).toBe(200);
    const renamed = await call('PATCH', `/api/prompts/groups/${group._id}`, { name: 'Digest' });
    expect(await renamed.json()).toMatchObject({ name: 'Digest', productionPrompt: { prompt: 'Sum up {{text}}' } });
    expect((await call('DELETE', `/api/prompts/${prompt._id}`)).status).toBe(409);
    expect((await call('DELETE', `/api/prompts/groups/${group._id}`)).status).toBe(200);
    expect(await alice.json('/api/prompts/all')).toEqual([]);
    expect((await alice.get(`/api/prompts/groups/${group._id}`)).status).toBe(404);
    const bare = Made.parse(await (await call('POST', '/api/prompts', { prompt: { prompt: 'Alone' } })).json());
    expect(await (await call('DELETE', `/api/prompts/${bare.prompt._id}`)).json()).toMatchObject({
      promptGroup: { id: bare.group._id },
    });
  });
});

describe('two-step sign-in', () => {
  it('is switched on, asked for at the next sign-in, and gives recovery codes', async () => {
    const bob = await signUp(server.url, 'bob');
    const { otpauthUrl, backupCodes } = z
      .strictObject({ otpauthUrl: z.string(), backupCodes: z.array(z.string()) })
      .parse(await bob.json('/api/auth/2fa/enable'));
    expect(backupCodes).toEqual([]);
    const secret = bytesOf(new URL(otpauthUrl).searchParams.get('secret') ?? '');
    const step = Math.floor(Date.now() / 30_000);
    expect((await bob.post('/api/auth/2fa/verify', { token: '000 000' })).status).toBe(422);
    const verified = await bob.post('/api/auth/2fa/verify', { token: totpAt(secret, step) });
    expect(verified.status).toBe(200);
    const codes = z.object({ backupCodes: z.array(z.string()) }).parse(await verified.json()).backupCodes;
    expect((await bob.post('/api/auth/2fa/confirm', { token: totpAt(secret, step) })).status).toBe(200);

    const signIn = await send(server.url, 'POST', '/api/auth/login', { email: 'bob@example.com', password: PASSWORD });
    const { tempToken } = z
      .strictObject({ twoFAPending: z.literal(true), tempToken: z.string() })
      .parse(await signIn.json());
    const wrong = await send(server.url, 'POST', '/api/auth/2fa/verify-temp', { tempToken, token: '123456' });
    expect(wrong.status).toBe(422);
    const right = await send(server.url, 'POST', '/api/auth/2fa/verify-temp', { tempToken, backupCode: codes[0] });
    expect(right.status).toBe(200);
    expect(right.headers.get('set-cookie')).toContain('refreshToken');
    const { token } = z
      .object({ token: z.string(), user: z.object({ email: z.literal('bob@example.com') }) })
      .parse(await right.json());
    const headers = { authorization: `Bearer ${token}` };
    const renewed = await send(server.url, 'POST', '/api/auth/2fa/backup/regenerate', {}, headers);
    expect(z.object({ backupCodes: z.array(z.string()) }).parse(await renewed.json()).backupCodes).toHaveLength(
      codes.length,
    );
    // The last factor is taken away where the password is asked for.
    expect((await send(server.url, 'POST', '/api/auth/2fa/disable', {}, headers)).status).toBe(403);
  });

  it('an address is confirmed by the token of its mail alone', async () => {
    const refused = await send(server.url, 'POST', '/api/user/verify', {
      email: 'x@example.com',
      token: 'a'.repeat(64),
    });
    expect(refused.status).toBe(400);
    expect((await send(server.url, 'POST', '/api/user/verify/resend', { email: 'x@example.com' })).status).toBe(200);
  });
});

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
