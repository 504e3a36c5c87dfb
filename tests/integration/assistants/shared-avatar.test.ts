// The image of an assistant that its owner shares, as a reader's page asks for it.
import { assistants } from '@parley/db/tables/assistants';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { send, signUp, type Client } from '../../support/rest/client.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';
import { formOf, postForm, upload } from '../../support/uploads.ts';

let server: TestServer;
let alice: Client;
let bob: Client;
let id: string;

beforeAll(async () => {
  server = await startTestServer({ env: { OPENAI_API_KEY: 'fake', OPENAI_MODELS: 'fake:echo' } });
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
  const created = await alice.post('/api/assistants', { model: 'fake:echo', name: 'Guide' });
  ({ id } = (await created.json()) as { id: string });
  const saved = await postForm(server.url, alice, `/api/assistants/avatar/${id}`, formOf(await image()));
  expect(saved.status).toBe(201);
});
beforeEach(() => share(true));
afterAll(() => server?.close());

describe('the image of a shared assistant', () => {
  it('is seen by others by an address that does not name its owner', async () => {
    const path = await pathForBob();
    expect(path).not.toContain(alice.id);
    const seen = await bob.get(path);
    expect([seen.status, seen.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(await sharp(Buffer.from(await seen.arrayBuffer())).metadata()).toMatchObject({ width: 150, height: 150 });
    const etag = seen.headers.get('etag') ?? '';
    expect((await send(server.url, 'GET', path, undefined, { ...bob.headers, 'if-none-match': etag })).status).toBe(
      304,
    );
    // Its owner's own address stays closed to others, and this one to everybody who is not signed in.
    const { metadata } = (await alice.json(`/api/assistants/${id}`)) as { metadata: { avatar: string } };
    expect((await bob.get(metadata.avatar)).status).toBe(403);
    expect((await send(server.url, 'GET', path)).status).toBe(401);
  });

  it('is seen no more when the assistant is not shared, also by who has kept it', async () => {
    const path = await pathForBob();
    const etag = (await bob.get(path)).headers.get('etag') ?? '';
    await share(false);
    expect((await bob.get(path)).status).toBe(404);
    expect((await send(server.url, 'GET', path, undefined, { ...bob.headers, 'if-none-match': etag })).status).toBe(
      404,
    );
  });

  it('is the only file of its owner that the address opens', async () => {
    const other = await upload(server.url, alice, { ...(await image()), fields: { width: '9', height: '9' } });
    const path = await pathForBob();
    const folder = path.slice(0, path.lastIndexOf('/'));
    for (const name of [`${other.file_id}__a.png`, 'a', '%00', `${other.file_id}`])
      expect([name, (await bob.get(`${folder}/${name}`)).status]).toEqual([name, 404]);
    expect((await bob.get(path.replace(id, 'asst_of-nobody'))).status).toBe(404);
  });
});

async function pathForBob(): Promise<string> {
  const response = await bob.get('/trpc/assistants.shared');
  const { result } = (await response.json()) as { result: { data: { metadata: { avatar?: string } }[] } };
  return result.data[0]?.metadata.avatar ?? '';
}

async function share(isShared: boolean): Promise<void> {
  await server.db.query.update(assistants).set({ isShared }).where(eq(assistants.id, id));
}

async function image() {
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#284' } })
    .png()
    .toBuffer();
  return { bytes, name: 'face.png', type: 'image/png' };
}
