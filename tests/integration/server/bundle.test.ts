// The server as it is delivered, without a browser: what is loaded when it is first used is in the bundle, whole.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from '@parley/scripts/build';
import { root } from '@parley/scripts/build-stamps';
import { startFakeProvider, type FakeProvider } from '@parley/scripts/fake-provider';
import { startServer, type ServerProcess } from '@parley/scripts/server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { finalOf, question, send, signUp, type Client } from '../../support/rest/client.ts';
import { copyTemplate } from '../../support/database.ts';
import { upload } from '../../support/uploads.ts';
import { startMailServer, type MailServer } from '../../support/accounts/mail-server.ts';

const SourceMap = z.object({ sources: z.array(z.string()), sourcesContent: z.array(z.string().nullable()) });

const folder = mkdtempSync(join(tmpdir(), 'parley-bundle-'));
let provider: FakeProvider;
let post: MailServer;
let server: ServerProcess;
let alice: Client;

beforeAll(async () => {
  await build();
  provider = await startFakeProvider();
  post = await startMailServer();
  const database = await copyTemplate();
  const { url } = provider;
  const custom = `[{ name: Mine, apiKey: k, baseURL: '${url}/v1', models: { default: ['fake:echo'] } }]`;
  writeFileSync(join(folder, 'parley.yaml'), `version: 1.0.7\nendpoints: { custom: ${custom} }\n`);
  server = await startServer(folder, {
    DATA_DIR: folder,
    PGHOST: database.connection.folder,
    PGUSER: database.connection.user,
    DATABASE_URL: `postgres:///${database.connection.database}`,
    PORT: '0',
    OPENAI_API_KEY: 'k',
    OPENAI_REVERSE_PROXY: `${url}/v1`,
    AZURE_API_KEY: 'k',
    AZURE_OPENAI_API_VERSION: '2024-02-01',
    AZURE_OPENAI_BASEURL: `${url}/openai/deployments/\${DEPLOYMENT_NAME}`,
    AZURE_USE_MODEL_AS_DEPLOYMENT_NAME: 'true',
    AZURE_OPENAI_MODELS: 'fake:echo',
    GOOGLE_KEY: 'k',
    GOOGLE_REVERSE_PROXY: url,
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_REVERSE_PROXY: url,
    BINGAI_TOKEN: 'k',
    BINGAI_HOST: url,
    CHATGPT_TOKEN: 'k',
    ...post.env,
    METRICS_TOKEN: 'a-token-for-metrics',
    CHATGPT_REVERSE_PROXY: `${url}/backend-api/conversation`,
  });
  alice = await signUp(server.url, 'alice');
});
afterAll(async () => {
  await server?.end('SIGTERM');
  await provider?.close();
  await post?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each([
  ['openAI', 'openAI'],
  ['azureOpenAI', 'azureOpenAI'],
  ['google', 'google'],
  ['anthropic', 'anthropic'],
  ['bingAI', 'bingAI'],
  ['chatGPTBrowser', 'chatGPTBrowser'],
  ['custom', 'Mine'],
])('the bundled server answers: %s', async (path, endpoint) => {
  const body = question('Say it again [[echo]]', { endpoint, endpointType: path, model: modelOf(path) });
  const { responseMessage } = finalOf(await alice.ask(body, path));
  expect(responseMessage.text).toBe('Say it again [[echo]]');
});

test('the bundled server runs the driver of the database that tests and development run', () => {
  const installed = readFileSync(fileURLToPath(new URL('connection.js', import.meta.resolve('postgres'))), 'utf8');
  const chunks = join(root, 'server/dist/chunks');
  const maps = readdirSync(chunks).filter((name) => name.endsWith('.map'));
  const bundled = maps.flatMap((name) => {
    const map = SourceMap.parse(JSON.parse(readFileSync(join(chunks, name), 'utf8')));
    return map.sourcesContent.filter((_, at) => map.sources[at]?.endsWith('/postgres/src/connection.js'));
  });
  expect(bundled).toEqual([installed]);
});

test('the bundled server sends mail', async () => {
  await send(server.url, 'POST', '/api/auth/requestPasswordReset', { email: 'alice@example.com' });
  await expect.poll(() => post.letters.map(({ to }) => to)).toEqual([['alice@example.com']]);
});

test('the bundled server knows mail services by name', async () => {
  const env = { DATA_DIR: folder, PORT: '0', EMAIL_SERVICE: 'our own' };
  await expect(startServer(folder, env)).rejects.toThrow('EMAIL_SERVICE must be a service known by name');
  const known = await startServer(folder, { ...env, EMAIL_SERVICE: 'gmail' });
  await known.end('SIGTERM');
  expect(known.said()).toContain('No mail is sent: EMAIL_SERVICE is given, but not EMAIL_USERNAME');
});

test('the bundled server tells its metrics', async () => {
  const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: 'Bearer a-token-for-metrics' } });
  expect(await answer.text()).toContain('parley_generations_running 0');
});

function modelOf(path: string): string {
  return path === 'chatGPTBrowser' ? 'gpt-4' : 'fake:echo';
}

test('the bundled server converts an uploaded image', async () => {
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const fields = { width: '1', height: '1' };
  const image = await upload(server.url, alice, { bytes: Buffer.from(png, 'base64'), name: 'a.png', fields });
  expect(image).toMatchObject({ type: 'image/png', width: 1, height: 1 });
  expect((await alice.get(image.filepath)).status).toBe(200);
});
