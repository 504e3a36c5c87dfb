import { VERSION } from '@parley/schema/catalog/startup';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { send, signUp, type Client } from '../../../support/rest/client.ts';

const yaml = `
version: 1.0.7
fileConfig:
  serverFileSizeLimit: 100
  endpoints:
    default: { fileLimit: 3 }
endpoints:
  custom:
    - name: Groq
      apiKey: fake
      baseURL: \${FAKE_PROVIDER}
      models: { default: [one, two] }
      modelDisplayLabel: Groq cloud
`;

let server: TestServer;
let alice: Client;

beforeAll(async () => {
  server = await startTestServer({ yaml, env: { OPENAI_MODELS: 'gpt-4,gpt-3.5-turbo', APP_TITLE: 'Our Parley' } });
  alice = await signUp(server.url, 'alice');
});
afterAll(() => server.close());

describe('a visitor', () => {
  const read = async (path: string): Promise<unknown> => (await send(server.url, 'GET', path)).json();

  it('gets the startup configuration', async () => {
    expect(await read('/api/config')).toEqual({
      appTitle: 'Our Parley',
      version: VERSION,
      socialLogins: ['google', 'facebook', 'openid', 'github', 'discord'],
      discordLoginEnabled: false,
      facebookLoginEnabled: false,
      githubLoginEnabled: false,
      googleLoginEnabled: false,
      openidLoginEnabled: false,
      openidLabel: 'Continue with OpenID',
      serverDomain: expect.stringMatching(/^http:/),
      emailLoginEnabled: true,
      registrationEnabled: true,
      socialLoginEnabled: false,
      emailEnabled: false,
      checkBalance: false,
      showBirthdayIcon: expect.any(Boolean),
      helpAndFaqURL: expect.any(String),
      sharedLinksEnabled: true,
      passwordResetEnabled: true,
    });
  });

  it('gets the offered endpoints', async () => {
    expect(await read('/api/endpoints')).toEqual({
      openAI: { userProvide: false, userProvideURL: false, order: 0 },
      gptPlugins: {
        plugins: expect.objectContaining({ calculator: 'Calculator' }),
        availableAgents: ['classic', 'functions'],
        userProvide: false,
        userProvideURL: false,
        azure: false,
        order: 6,
      },
      Groq: {
        type: 'custom',
        userProvide: false,
        userProvideURL: false,
        modelDisplayLabel: 'Groq cloud',
        order: expect.any(Number),
      },
      assistants: {
        userProvide: false,
        order: 10_000,
        capabilities: ['code_interpreter', 'image_vision', 'retrieval', 'actions', 'tools'],
        retrievalModels: expect.arrayContaining(['gpt-4-turbo']),
      },
    });
  });

  it('gets empty overrides and no prompts', async () => {
    expect(await read('/api/endpoints/config/override')).toBe(false);
    expect(await read('/api/prompts')).toEqual([]);
  });
});

describe('a user at the start', () => {
  it.each([
    [
      '/api/models',
      {
        openAI: ['gpt-4', 'gpt-3.5-turbo'],
        gptPlugins: ['gpt-4', 'gpt-3.5-turbo'],
        Groq: ['one', 'two'],
        // All that may answer for one.
        assistants: ['gpt-4', 'gpt-3.5-turbo', 'one', 'two'],
      },
    ],
    ['/api/presets', []],
    ['/api/files', []],
    ['/api/files/config', { serverFileSizeLimit: 100, endpoints: { default: { fileLimit: 3 } } }],
    ['/api/keys?name=openAI', { expiresAt: null }],
    ['/api/search/enable', true],
  ])('%s', async (path, answer) => {
    const response = await alice.get(path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(await response.json()).toEqual(answer);
  });

  it('/api/balance is plain text, empty without credits', async () => {
    const response = await alice.get('/api/balance');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/plain');
    expect(await response.text()).toBe('');
  });

  it('/api/files/config is empty unless configured', async () => {
    const plain = await startTestServer();
    const bob = await signUp(plain.url, 'bob');
    const response = await bob.get('/api/files/config');
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('');
    await plain.close();
  });
});

it('a server that nobody has an account on says so until the first is made', async () => {
  const empty = await startTestServer();
  const read = async () => (await send(empty.url, 'GET', '/api/config')).json();
  expect(await read()).toMatchObject({ awaitsFirstPerson: true });
  await signUp(empty.url, 'carol');
  expect(await read()).not.toHaveProperty('awaitsFirstPerson');
  await empty.close();

  const closed = await startTestServer({ env: { ALLOW_REGISTRATION: 'false' } });
  expect(await (await send(closed.url, 'GET', '/api/config')).json()).not.toHaveProperty('awaitsFirstPerson');
  await closed.close();
});

describe('an unknown path', () => {
  it.each(['/api/nothing', '/api/ask/nothing', '/api/convos/a/b/c'])('%s is not found', async (path) => {
    expect((await alice.get(path)).status).toBe(404);
    const posted = await alice.post(path, {});
    if (path === '/api/ask/nothing') {
      expect(await posted.text()).toBe('event: error\ndata: {"text":"Unknown endpoint: nothing"}\n\n');
      return;
    }
    expect(posted.status).toBe(404);
    expect(await posted.json()).toEqual({ message: 'This address does not exist.' });
  });

  it('is no JSON to who opens it in a browser', async () => {
    const response = await fetch(`${server.url}/api/nothing`, { headers: { accept: 'text/html,*/*' } });
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).not.toContain('json');
  });
});

describe('a page', () => {
  it('answers HEAD, and is not served at /api and /trpc', async () => {
    // The last one is longer than the name of any file.
    for (const path of ['/', '/c/new', `/${'x'.repeat(300)}`]) {
      const response = await fetch(server.url + path, { method: 'HEAD' });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
    }
    for (const path of ['/api', '/api/', '/trpc']) expect((await alice.get(path)).status).toBe(404);
  });
});

describe('a trailing slash', () => {
  it('does not change the path', async () => {
    expect(await alice.json('/api/convos/?pageNumber=1')).toEqual(await alice.json('/api/convos?pageNumber=1'));
    expect(await alice.json('/api/user/')).toEqual(await alice.json('/api/user'));
    expect((await alice.get('/api/nothing/')).status).toBe(404);
  });
});
