// Each plugin against its service: the request as it is documented, what the model is told, and every way to fail.
import { files } from '@parley/db/tables/files';
import { createEncryption } from '@parley/server/keys/encryption';
import { createEgress } from '@parley/server/platform/egress';
import { createPluginSource } from '@parley/server/plugins/source';
import type { Chosen, ToolOutcome, ToolSource } from '@parley/server/tools/tool';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toolSourceContract } from '../../contracts/tool-source.ts';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { callTool, choosing, toolOf } from '../../support/tools/tool-run.ts';

let services: TestServices;
let upstreams: PluginUpstreams;
let alice: Person;
let source: ToolSource;

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
  const { url } = upstreams;
  services = await openTestServices({
    TRAVERSAAL_API_KEY: 'traversaal-key',
    GOOGLE_CSE_ID: 'google-engine',
    GOOGLE_SEARCH_API_KEY: 'google-key',
    WOLFRAM_APP_ID: 'wolfram-app',
    E2B_SERVER_URL: `${url}/`,
    CODESHERPA_SERVER_URL: url,
    SERPAPI_API_KEY: 'serpapi-key',
    DALLE_API_KEY: 'dalle-key',
    TAVILY_API_KEY: 'tavily-key',
    SD_WEBUI_URL: url,
    ZAPIER_NLA_API_KEY: 'zapier-key',
    AZURE_AI_SEARCH_SERVICE_ENDPOINT: url,
    AZURE_AI_SEARCH_INDEX_NAME: 'papers',
    AZURE_AI_SEARCH_API_KEY: 'azure-key',
    TRAVERSAAL_BASE_URL: url,
    GOOGLE_SEARCH_BASE_URL: url,
    WOLFRAM_BASE_URL: url,
    SERPAPI_BASE_URL: url,
    TAVILY_BASE_URL: url,
    ZAPIER_NLA_BASE_URL: url,
    DALLE_REVERSE_PROXY: `${url}/v1`,
    EGRESS_ALLOWED_HOSTS: new URL(url).host,
  });
  alice = await services.as('alice');
  source = sourceOf(services);
});
afterAll(async () => {
  await services.close();
  await upstreams.close();
});

/** No plugin of these tests reads a PDF. */
const readPdf = () => Promise.reject(new Error('A PDF is read'));

function sourceOf({ deps }: TestServices): ToolSource {
  const egress = createEgress(deps.config.server.egressAllowedHosts);
  return createPluginSource({ ...deps, egress, readPdf, encryption: createEncryption(deps.secrets.credsKey, []) });
}

async function call(key: string, args: Record<string, unknown>, name = key, chosen = choosing(alice.id, [key])) {
  const outcome = await callTool(await toolOf(source, chosen, name), args, chosen);
  return { outcome, request: upstreams.requests.at(-1), chosen };
}

toolSourceContract('plugin', async () => {
  const word = { query: 'tower' };
  return {
    source,
    userId: alice.id,
    keys: (await source.list(alice.id)).map(({ key }) => key),
    args: { google: word, tavily_search_results_json: word, wolfram: { nl_query: '1' }, CodeBrew: { input: '$ ls' } },
  };
});

function textOf(outcome: ToolOutcome): string {
  return outcome.type === 'needs' ? '' : outcome.text;
}

describe('a plugin that searches', () => {
  it('traversaal_search sends its key as a header and names the pages', async () => {
    const { outcome, request } = await call('traversaal_search', { query: 'How high?' });
    expect(request).toMatchObject({
      method: 'POST',
      path: '/live/predict',
      headers: { 'x-api-key': 'traversaal-key', 'content-type': 'application/json' },
      body: { query: ['How high?'] },
    });
    expect(outcome).toEqual({
      type: 'done',
      text: 'The tower is 330 m high.\n\n[1] https://tower.example/height\nhttps://tower.example/height',
    });
  });

  it('google sends key, cx, q and num, five by default', async () => {
    const { outcome, request } = await call('google', { query: 'tower' });
    expect(request).toMatchObject({
      method: 'GET',
      path: '/customsearch/v1',
      query: { key: 'google-key', cx: 'google-engine', q: 'tower', num: '5' },
    });
    expect(outcome).toEqual({
      type: 'done',
      text: '[1] About tower\nhttps://one.example/\nFirst words.\n\n[2] Second\nhttps://two.example/page',
    });
    expect((await call('google', { query: 'tower', max_results: 40 })).request?.query.num).toBe('10');
  });

  it('tavily sends its key as a bearer and in the body, with all switches', async () => {
    const args = {
      query: 'tower',
      max_results: 3,
      search_depth: 'advanced',
      include_images: true,
      include_answer: true,
    };
    const { outcome, request } = await call('tavily_search_results_json', args);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/search',
      headers: { authorization: 'Bearer tavily-key' },
      body: { ...args, api_key: 'tavily-key' },
    });
    expect(textOf(outcome)).toBe(
      'It is 330 m high.\n\n[1] Tower\nhttps://tower.example/\nA tower of iron.\n\nPictures: https://img.example/tower.jpg',
    );
    expect((await call('tavily_search_results_json', { query: 'tower' })).request?.body).toEqual({
      api_key: 'tavily-key',
      query: 'tower',
      max_results: 5,
      search_depth: 'basic',
      include_images: false,
      include_answer: false,
    });
  });

  it('serpapi searches from Austin, in English', async () => {
    const { outcome, request } = await call('serpapi', { input: 'tower' });
    expect(request).toMatchObject({
      method: 'GET',
      path: '/search',
      query: {
        engine: 'google',
        q: 'tower',
        location: 'Austin,Texas,United States',
        hl: 'en',
        gl: 'us',
        api_key: 'serpapi-key',
      },
    });
    expect(textOf(outcome)).toBe('330 m\n\n[1] About tower\nhttps://one.example/\nWords.');
  });

  it('wolfram sends input and appid, and returns the text as it is', async () => {
    const { outcome, request } = await call('wolfram', { nl_query: '6*7' });
    expect(request).toMatchObject({
      method: 'GET',
      path: '/api/v1/llm-api',
      query: { input: '6*7', appid: 'wolfram-app' },
    });
    expect(outcome).toEqual({ type: 'done', text: 'Query:\n"6*7"\n\nResult:\n42' });
  });

  it('azure-ai-search asks the index for five documents', async () => {
    const { outcome, request } = await call('azure-ai-search', { query: 'towers' });
    expect(request).toMatchObject({
      method: 'POST',
      path: '/indexes/papers/docs/search',
      query: { 'api-version': '2023-11-01' },
      headers: { 'api-key': 'azure-key' },
      body: { search: 'towers', queryType: 'simple', top: 5 },
    });
    expect(JSON.parse(textOf(outcome))).toEqual([{ '@search.score': 1.5, id: '1', title: 'On towers' }]);
    expect(textOf((await call('azure-ai-search', { query: 'nothing' })).outcome)).toBe('Nothing was found.');
  });

  it('numbers the sources of one reply through, also those of another plugin', async () => {
    const chosen = choosing(alice.id, ['google', 'serpapi']);
    const first = await call('google', { query: 'tower' }, 'google', chosen);
    const second = await call('serpapi', { input: 'tower' }, 'serpapi', chosen);
    expect(textOf(first.outcome)).toContain('[2] Second');
    expect(textOf(second.outcome)).toContain('[3] About tower');
  });

  it('web-browser quotes the passages that the question is about', async () => {
    const { outcome } = await call('web-browser', { url: `${upstreams.url}/page`, question: 'How high was Pharos?' });
    const text = textOf(outcome);
    expect(text).toContain(`${upstreams.url}/page\n\n`);
    expect(text).toContain('The lighthouse of Pharos was over one hundred metres high.');
    expect(text).not.toContain('secret()');
    expect(text.length).toBeLessThan(14_000);
  });
});

describe('a plugin that runs something', () => {
  it('e2b sends commands and files to its server, with the conversation as the session', async () => {
    const run = await call('e2b_code_interpreter', { command: 'ls', workDir: '/tmp' }, 'RunCommand');
    expect(run.request).toMatchObject({
      method: 'POST',
      path: '/commands',
      headers: { 'openai-conversation-id': run.chosen.convoId },
      body: { command: 'ls', workDir: '/tmp' },
    });
    expect(textOf(run.outcome)).toBe('{"stdout":"ran ls","stderr":""}');
    const read = await call('e2b_code_interpreter', { path: '/a b.txt' }, 'ReadFile');
    expect(read.request).toMatchObject({ method: 'GET', path: '/files', query: { path: '/a b.txt' } });
    expect(textOf(read.outcome)).toBe('text of /a b.txt');
    const write = await call('e2b_code_interpreter', { path: '/a', content: 'x' }, 'WriteFile');
    expect(write.request).toMatchObject({
      method: 'PUT',
      path: '/files',
      query: { path: '/a' },
      body: { content: 'x' },
    });
  });

  it('codesherpa sends code and commands', async () => {
    const code = await call('codesherpa_tools', { code: '1+1' }, 'RunCode');
    expect(code.request).toMatchObject({ method: 'POST', path: '/repl', body: { code: '1+1', language: 'python' } });
    const command = await call('codesherpa_tools', { command: 'ls' }, 'RunShellCommand');
    expect(command.request).toMatchObject({ method: 'POST', path: '/command', body: { command: 'ls' } });
    expect(textOf(command.outcome)).toBe('{"result":"ran ls"}');
  });

  it('zapier lists actions and runs one', async () => {
    const list = await call('zapier', {}, 'zapier_actions');
    expect(list.request).toMatchObject({
      method: 'GET',
      path: '/api/v1/exposed/',
      headers: { 'x-api-key': 'zapier-key' },
    });
    expect(textOf(list.outcome)).toBe('01ABC: Gmail: Send Email');
    const run = await call('zapier', { action_id: '01ABC', instructions: 'Write to Bob' });
    expect(run.request).toMatchObject({
      method: 'POST',
      path: '/api/v1/exposed/01ABC/execute/',
      body: { instructions: 'Write to Bob' },
    });
  });

  it('CodeBrew returns its input', async () => {
    const input = '$ echo hi\nhi';
    expect((await call('CodeBrew', { input })).outcome).toEqual({ type: 'done', text: input });
  });

  it('asks first unless it may be repeated', async () => {
    const { tools } = await source.tools(choosing(alice.id, ['google', 'dalle', 'e2b_code_interpreter', 'CodeBrew']));
    expect(Object.fromEntries(tools.map(({ name, asks }) => [name, asks]))).toEqual({
      google: 'never',
      RunCommand: 'first',
      ReadFile: 'never',
      WriteFile: 'first',
      dalle: 'first',
      CodeBrew: 'never',
    });
  });
});

describe('a plugin that makes images', () => {
  const prompt = 'a red kite';

  /** The image among her files. */
  async function keptOf(outcome: ToolOutcome) {
    const image = outcome.type === 'done' ? outcome.outputs?.[0] : undefined;
    if (image?.type !== 'image') throw new Error(`There is no picture: ${textOf(outcome)}`);
    const [row] = await services.deps.db.query.select().from(files).where(eq(files.id, image.fileId));
    return { image, row };
  }

  it('dalle asks for one image and keeps it with its prompt', async () => {
    const args = { prompt, size: '1792x1024', quality: 'hd', style: 'natural' };
    const { outcome, request } = await call('dalle', args);
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v1/images/generations',
      headers: { authorization: 'Bearer dalle-key' },
      body: { model: 'dall-e-3', ...args, n: 1, response_format: 'b64_json' },
    });
    const { image, row } = await keptOf(outcome);
    expect(row).toMatchObject({
      userId: alice.id,
      context: 'image_generation',
      mime: 'image/png',
      width: 1,
      height: 1,
    });
    expect(image).toMatchObject({
      path: `/images/${alice.id}/${image.fileId}__dalle.png`,
      prompt: 'A careful picture of a red kite',
      width: 1,
      height: 1,
    });
    expect(textOf(outcome)).toContain('A careful picture of a red kite');
  });

  it('dalle asks a newer model in its own words where the key lists no dall-e-3', async () => {
    const before = upstreams.models.splice(0, Infinity, 'gpt-4', 'gpt-image-2', 'gpt-image-1.5');
    const { request } = await call('dalle', { prompt, size: '1024x1792', quality: 'hd' });
    expect(request?.body).toEqual({ model: 'gpt-image-1.5', prompt, n: 1, size: '1024x1536', quality: 'high' });
    upstreams.models.splice(0, Infinity, ...before);
  });

  it('dall-e asks for 512 by 512 pixels', async () => {
    const { outcome, request } = await call('dall-e', { prompt });
    expect(request).toMatchObject({
      path: '/v1/images/generations',
      headers: { authorization: 'Bearer dalle-key' },
      body: { prompt, n: 1, size: '512x512' },
    });
    expect((await keptOf(outcome)).row).toMatchObject({ context: 'image_generation' });
  });

  it('dall-e fetches an image that comes as an address', async () => {
    const { outcome } = await call('dall-e', { prompt: 'a kite by address' });
    expect(upstreams.requests.slice(-2).map(({ path }) => path)).toEqual(['/v1/images/generations', '/picture.png']);
    expect((await keptOf(outcome)).image.prompt).toBe('a kite by address');
  });

  it('is reported to the model when the response is no image', async () => {
    const { outcome } = await call('dall-e', { prompt: 'fake:no-picture' });
    expect(outcome).toEqual({ type: 'failed', text: 'The picture cannot be read.' });
  });

  it('dalle at Azure asks the deployment, with its key as a header', async () => {
    const { url } = upstreams;
    const azure = await openTestServices({
      DALLE3_API_KEY: 'azure-dalle-key',
      DALLE3_BASEURL: `${url}/openai/deployments/pictures/`,
      DALLE3_AZURE_API_VERSION: '2024-02-01',
    });
    const { id } = await azure.as('alice');
    const chosen = choosing(id, ['dalle']);
    await callTool(await toolOf(sourceOf(azure), chosen, 'dalle'), { prompt }, chosen);
    expect(upstreams.requests.at(-1)).toMatchObject({
      path: '/openai/deployments/pictures/images/generations',
      query: { 'api-version': '2024-02-01' },
      headers: { 'api-key': 'azure-dalle-key' },
    });
    expect(upstreams.requests.at(-1)?.headers.authorization).toBeUndefined();
    await azure.close();
  });

  it('stable-diffusion asks its web UI', async () => {
    const { outcome, request } = await call('stable-diffusion', { prompt: 'kite, red', negative_prompt: 'people' });
    expect(request).toMatchObject({
      method: 'POST',
      path: '/sdapi/v1/txt2img',
      body: {
        prompt: 'kite, red',
        negative_prompt: 'people',
        sampler_index: 'DPM++ 2M Karras',
        cfg_scale: 4.5,
        steps: 22,
        width: 1024,
        height: 1024,
      },
    });
    expect((await keptOf(outcome)).image.prompt).toBe('kite, red');
  });
});

describe('a service that fails', () => {
  it.each([
    ['fake:refuse', /^Google answers with status 401: \{"error":"The key … is not valid"\}$/],
    ['fake:html', /^Google answers in a form that is not understood: Welcome$/],
    ['fake:redirect', /^Google answers with status 302\.$/],
    ['fake:large', /^Google answers with more than is read\.$/],
    ['fake:reset', /^Google cannot be reached\.$/],
  ])('is told to the model: %s', async (query, sentence) => {
    const { outcome } = await call('google', { query });
    expect(outcome).toEqual({
      type: 'failed',
      text: expect.stringMatching(sentence),
      service: expect.objectContaining({ host: new URL(upstreams.url).host }),
    });
    expect(textOf(outcome)).not.toContain('google-key');
  });

  it('is let go when a person stops', async () => {
    const chosen = choosing(alice.id, ['google']);
    const stop = new AbortController();
    const before = upstreams.abandoned();
    const running = callTool(await toolOf(source, chosen, 'google'), { query: 'fake:hang' }, chosen, stop.signal);
    await expect.poll(() => upstreams.requests.at(-1)?.query.q).toBe('fake:hang');
    stop.abort();
    await expect(running).rejects.toThrow(/abort/i);
    await expect.poll(upstreams.abandoned).toBe(before + 1);
  });
});

describe('the values of a plugin', () => {
  it('of a person win over the operator’s, for that person alone', async () => {
    const bob = await services.as('bob');
    await bob.api.plugins.install({ key: 'wolfram', values: { WOLFRAM_APP_ID: 'app-of-bob' } });
    const asked = async (chosen: Chosen) => (await call('wolfram', { nl_query: '1' }, 'wolfram', chosen)).request;
    expect((await asked(choosing(bob.id, ['wolfram'])))?.query.appid).toBe('app-of-bob');
    expect((await asked(choosing(alice.id, ['wolfram'])))?.query.appid).toBe('wolfram-app');
    await bob.api.plugins.uninstall({ key: 'wolfram', fields: ['WOLFRAM_APP_ID'] });
    expect((await asked(choosing(bob.id, ['wolfram'])))?.query.appid).toBe('wolfram-app');
  });

  it('of the operator never go to an address of a person', async () => {
    const carol = await services.as('carol');
    const values = { AZURE_AI_SEARCH_SERVICE_ENDPOINT: 'https://elsewhere.example' };
    await carol.api.plugins.install({ key: 'azure-ai-search', values });
    const { tools, problems } = await source.tools(choosing(carol.id, ['azure-ai-search']));
    expect(tools).toEqual([]);
    expect(problems).toEqual([
      {
        from: { source: 'plugin', id: 'azure-ai-search', label: 'Azure AI Search' },
        text: 'To use it, add: Azure AI Search index name, Azure AI Search API key.',
      },
    ]);
  });

  it('that name an address which the server must not call are refused at the call, too', async () => {
    const dave = await services.as('dave');
    await dave.api.plugins.install({ key: 'stable-diffusion', values: { SD_WEBUI_URL: upstreams.url } });
    const egress = createEgress([]);
    const { deps } = services;
    const strict = createPluginSource({
      ...deps,
      egress,
      readPdf,
      encryption: createEncryption(deps.secrets.credsKey, []),
    });
    const chosen = choosing(dave.id, ['stable-diffusion']);
    const before = upstreams.requests.length;
    const outcome = await callTool(await toolOf(strict, chosen, 'stable-diffusion'), { prompt: 'kite' }, chosen);
    expect(outcome).toMatchObject({
      type: 'failed',
      text: 'This server must not call the address of Stable Diffusion.',
    });
    expect(upstreams.requests).toHaveLength(before);
  });
});

describe('the list of plugins to choose', () => {
  it('has the fourteen tools that are not built in, each usable with the operator’s values', async () => {
    const list = await source.list(alice.id);
    expect(list).toHaveLength(14);
    expect(list.filter(({ unavailable }) => unavailable !== null)).toEqual([]);
  });

  it('says what is missing, and what has ended', async () => {
    const bare = await openTestServices({ TAVILY_API_KEY: 'user_provided' });
    const erin = await bare.as('erin');
    const reasons = async () =>
      Object.fromEntries((await sourceOf(bare).list(erin.id)).map(({ key, unavailable }) => [key, unavailable]));
    expect(await reasons()).toMatchObject({
      tavily_search_results_json: 'To use it, add: Tavily API key.',
      zapier: 'Zapier has ended this service. Zapier’s MCP server does the same.',
      CodeBrew: null,
      'web-browser': null,
    });
    await erin.api.plugins.install({ key: 'tavily_search_results_json', values: { TAVILY_API_KEY: 'key-of-erin' } });
    expect(await reasons()).toMatchObject({ tavily_search_results_json: null });
    await bare.close();
  });
});
