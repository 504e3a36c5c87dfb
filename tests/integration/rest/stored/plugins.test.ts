// The plugin store of existing clients, field by field.
import { pluginKeys } from '@parley/db/tables/tools';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { signUp, type Client } from '../../../support/rest/client.ts';
import { RestPlugin } from '../../../support/rest/plugin-rules.ts';

let server: TestServer;
let alice: Client;
let bob: Client;

beforeAll(async () => {
  server = await startTestServer({
    env: {
      WOLFRAM_APP_ID: 'of-the-operator',
      GOOGLE_CSE_ID: 'one-of-two',
      SERPAPI_API_KEY: 'user_provided',
      DALLE_API_KEY: 'both',
    },
  });
  alice = await signUp(server.url, 'alice');
  bob = await signUp(server.url, 'bob');
});
afterAll(() => server.close());

async function pluginsOf(client: Client) {
  return RestPlugin.array().parse(await client.json('/api/plugins'));
}

async function installedOf(client: Client): Promise<string[]> {
  return z.object({ plugins: z.array(z.string()) }).parse(await client.json('/api/user')).plugins;
}

async function savedOf(client: Client): Promise<Record<string, string>> {
  const rows = await server.db.query.select().from(pluginKeys).where(eq(pluginKeys.userId, client.id));
  return Object.fromEntries(rows.map(({ field, encrypted }) => [field, encrypted]));
}

describe('the list of plugins', () => {
  it('has the thirteen OpenAPI plugins, then the tools, in their order', async () => {
    const plugins = await pluginsOf(alice);
    expect(plugins.slice(0, 13).map(({ pluginKey, authConfig }) => [pluginKey, authConfig])).toEqual(
      [
        'Ai_PDF',
        'BrowserOp',
        'Dr_Thoths_Tarot',
        'DreamInterpreter',
        'VoxScript',
        'askyourpdf',
        'drink_maestro',
        'earthImagesAndVisualizations',
        'image_prompt_enhancer',
        'qrCodes',
        'scholarai',
        'uberchord',
        'web_search',
      ].map((key) => [key, []]),
    );
    expect(
      plugins
        .slice(13)
        .map(({ pluginKey, name, authConfig }) => [pluginKey, name, authConfig.map((one) => one.authField)]),
    ).toEqual([
      ['traversaal_search', 'Traversaal', ['TRAVERSAAL_API_KEY']],
      ['google', 'Google', ['GOOGLE_CSE_ID', 'GOOGLE_SEARCH_API_KEY']],
      ['wolfram', 'Wolfram', ['WOLFRAM_APP_ID']],
      ['e2b_code_interpreter', 'E2B Code Interpreter', ['E2B_SERVER_URL']],
      ['codesherpa_tools', 'CodeSherpa', ['CODESHERPA_SERVER_URL']],
      ['web-browser', 'Browser', ['OPENAI_API_KEY']],
      ['serpapi', 'Serpapi', ['SERPAPI_API_KEY']],
      ['dall-e', 'DALL-E', ['DALLE2_API_KEY||DALLE_API_KEY']],
      ['dalle', 'DALL-E-3', ['DALLE3_API_KEY||DALLE_API_KEY']],
      ['tavily_search_results_json', 'Tavily Search', ['TAVILY_API_KEY']],
      ['calculator', 'Calculator', []],
      ['stable-diffusion', 'Stable Diffusion', ['SD_WEBUI_URL']],
      ['zapier', 'Zapier', ['ZAPIER_NLA_API_KEY']],
      [
        'azure-ai-search',
        'Azure AI Search',
        ['AZURE_AI_SEARCH_SERVICE_ENDPOINT', 'AZURE_AI_SEARCH_INDEX_NAME', 'AZURE_AI_SEARCH_API_KEY'],
      ],
      ['CodeBrew', 'CodeBrew', []],
    ]);
  });

  it('says "authenticated" where the environment holds every field, and nowhere else', async () => {
    const plugins = await pluginsOf(alice);
    // Google lacks its key, and user_provided is no key. The key of OpenAI is the endpoint's.
    expect(plugins.filter(({ authenticated }) => authenticated).map(({ pluginKey }) => pluginKey)).toEqual([
      'wolfram',
      'web-browser',
      'dall-e',
      'dalle',
    ]);
    expect(JSON.stringify(plugins)).not.toContain('of-the-operator');
  });
});

describe('installing', () => {
  it('appends to the list of the user, once, and answers an empty 200', async () => {
    for (const pluginKey of ['calculator', 'CodeBrew', 'calculator']) {
      const response = await alice.post('/api/user/plugins', { pluginKey, action: 'install', auth: null });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
    }
    expect(await installedOf(alice)).toEqual(['calculator', 'CodeBrew']);
    expect(await installedOf(bob)).toEqual([]);
  });

  it('encrypts each value of auth for its user and field', async () => {
    const auth = { GOOGLE_CSE_ID: 'engine-of-alice', GOOGLE_SEARCH_API_KEY: 'key-of-alice' };
    expect((await alice.post('/api/user/plugins', { pluginKey: 'google', action: 'install', auth })).status).toBe(200);
    const saved = await savedOf(alice);
    expect(Object.keys(saved).toSorted()).toEqual(['GOOGLE_CSE_ID', 'GOOGLE_SEARCH_API_KEY']);
    for (const encrypted of Object.values(saved)) expect(encrypted).toMatch(/^v1\.[\da-f]{8}\.[\w-]+$/);
    expect(JSON.stringify(saved)).not.toContain('alice');
    expect(await savedOf(bob)).toEqual({});
    // What a person saved is never sent back, and changes the answer of nobody.
    expect((await pluginsOf(alice)).find(({ pluginKey }) => pluginKey === 'google')).not.toHaveProperty(
      'authenticated',
    );
  });

  it('for an assistant leaves the list of the user as it is', async () => {
    const auth = { TAVILY_API_KEY: 'key-of-bob' };
    const body = { pluginKey: 'tavily_search_results_json', action: 'install', auth, isAssistantTool: true };
    expect((await bob.post('/api/user/plugins', body)).status).toBe(200);
    expect(await installedOf(bob)).toEqual([]);
    expect(Object.keys(await savedOf(bob))).toEqual(['TAVILY_API_KEY']);
  });
});

describe('uninstalling', () => {
  it('takes the plugin off the list, and the values that auth names', async () => {
    const auth = { GOOGLE_CSE_ID: 'engine-of-bob', GOOGLE_SEARCH_API_KEY: 'key-of-bob' };
    await bob.post('/api/user/plugins', { pluginKey: 'google', action: 'install', auth });
    const body = { pluginKey: 'google', action: 'uninstall', auth: { GOOGLE_CSE_ID: '' } };
    const response = await bob.post('/api/user/plugins', body);
    expect([response.status, await response.text()]).toEqual([200, '']);
    expect(await installedOf(bob)).toEqual([]);
    expect(Object.keys(await savedOf(bob)).toSorted()).toEqual(['GOOGLE_SEARCH_API_KEY', 'TAVILY_API_KEY']);
  });

  it('succeeds for a plugin that is not installed', async () => {
    const body = { pluginKey: 'zapier', action: 'uninstall', auth: null };
    expect((await bob.post('/api/user/plugins', body)).status).toBe(200);
  });

  it('leaves the plugins and values of others', async () => {
    const auth = { GOOGLE_CSE_ID: null, GOOGLE_SEARCH_API_KEY: null };
    await bob.post('/api/user/plugins', { pluginKey: 'google', action: 'uninstall', auth });
    expect(await installedOf(alice)).toContain('google');
    expect(Object.keys(await savedOf(alice))).toHaveLength(2);
  });
});

describe('a change that makes no sense', () => {
  it.each([
    ['an unknown plugin', { pluginKey: 'nothing', action: 'install', auth: null }, 'There is no such plugin'],
    ['no plugin', { action: 'install' }, 'pluginKey: pluginKey is required'],
    ['an unknown action', { pluginKey: 'google', action: 'try' }, 'action: action must be install or uninstall'],
    [
      'the field of another plugin',
      { pluginKey: 'calculator', action: 'install', auth: { SERPAPI_API_KEY: 'a-key-of-hers' } },
      'The plugin has no field SERPAPI_API_KEY',
    ],
    [
      'a value of two lines',
      { pluginKey: 'serpapi', action: 'install', auth: { SERPAPI_API_KEY: 'key\r\nHost: other' } },
      'values.SERPAPI_API_KEY: A value must be one line',
    ],
  ])('is refused: %s', async (_what, body, message) => {
    const response = await alice.post('/api/user/plugins', body);
    expect([response.status, await response.json()]).toEqual([422, { message }]);
  });

  it('is refused: an address that the server must not call', async () => {
    const auth = { SD_WEBUI_URL: 'http://192.168.1.2:7860' };
    const response = await alice.post('/api/user/plugins', { pluginKey: 'stable-diffusion', action: 'install', auth });
    expect(response.status).toBe(400);
    expect(await savedOf(alice)).not.toHaveProperty('SD_WEBUI_URL');
  });
});

describe('revoking all keys', () => {
  it('removes the values of plugins, too, and those of nobody else', async () => {
    await bob.post('/api/user/plugins', {
      pluginKey: 'wolfram',
      action: 'install',
      auth: { WOLFRAM_APP_ID: 'app-of-bob' },
    });
    const response = await fetch(`${server.url}/api/keys?all=true`, { method: 'DELETE', headers: bob.headers });
    expect(response.status).toBe(204);
    expect(await savedOf(bob)).toEqual({});
    expect(Object.keys(await savedOf(alice))).toHaveLength(2);
  });
});
