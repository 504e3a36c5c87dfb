// The built-in search of the web and reading of pages.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readWebSources } from '@parley/schema/tools/web-sources';
import { loadConfig } from '@parley/server/load-config';
import { createEgress } from '@parley/server/platform/egress';
import type { ToolOutcome, ToolSource } from '@parley/server/tools/tool';
import { createPdfReader } from '@parley/server/files/pdf-reader';
import { createWebTools } from '@parley/server/tools/web/web-tools';
import { startPluginUpstreams, type PluginUpstreams } from '@parley/scripts/fake-tools/plugin-upstreams';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { toolSourceContract } from '../../contracts/tool-source.ts';
import { createBuiltExtractor } from '../../support/retrieval/built-extractor.ts';
import { createFolder } from '../../support/folders.ts';
import { lines, longPdf, makePdfPages } from '../../support/retrieval/documents.ts';
import { callTool, choosing, toolOf } from '../../support/tools/tool-run.ts';

let upstreams: PluginUpstreams;
const extractor = createBuiltExtractor();
const sites: Server[] = [];

beforeAll(async () => {
  upstreams = await startPluginUpstreams();
});
afterEach(async () => {
  for (const site of sites.splice(0)) {
    site.closeAllConnections();
    await new Promise((resolve) => site.close(resolve));
  }
});
afterAll(() => Promise.all([upstreams.close(), extractor.close()]));

const user = '11111111-1111-4111-8111-111111111111';

async function webTools(env: Record<string, string>, exempt: string[] = []): Promise<ToolSource> {
  const config = await loadConfig({ env: { DATA_DIR: createFolder(), ...env }, cwd: createFolder() });
  return createWebTools({ config, egress: createEgress(exempt), readPdf: createPdfReader(config, extractor) });
}

async function search(env: Record<string, string>, args: Record<string, unknown> = { query: 'tower' }) {
  const chosen = choosing(user, ['web_search']);
  const outcome = await callTool(await toolOf(await webTools(env), chosen, 'web_search'), args, chosen);
  return { outcome, request: upstreams.requests.at(-1) };
}

function textOf(outcome: ToolOutcome): string {
  return outcome.type === 'needs' ? '' : outcome.text;
}

toolSourceContract('of the web', async () => ({
  source: await webTools({ SEARXNG_URL: upstreams.url }, ['127.0.0.1']),
  userId: user,
  keys: ['web_search', 'web_page'],
  args: { web_search: { query: 'tower' }, web_page: { url: `${upstreams.url}/page` } },
}));

describe('the search of the web', () => {
  const tavily = () => ({ TAVILY_API_KEY: 'tavily-key', TAVILY_BASE_URL: upstreams.url });
  const google = () => ({
    GOOGLE_SEARCH_API_KEY: 'google-key',
    GOOGLE_CSE_ID: 'engine',
    GOOGLE_SEARCH_BASE_URL: upstreams.url,
  });
  const serpapi = () => ({ SERPAPI_API_KEY: 'serpapi-key', SERPAPI_BASE_URL: upstreams.url });
  const brave = () => ({ BRAVE_API_KEY: 'brave-key', BRAVE_BASE_URL: upstreams.url });
  const searxng = () => ({ SEARXNG_URL: `${upstreams.url}/` });

  it('asks Tavily', async () => {
    const { outcome, request } = await search(tavily(), { query: 'tower', max_results: 3 });
    expect(request).toMatchObject({
      path: '/search',
      headers: { authorization: 'Bearer tavily-key' },
      body: { query: 'tower', max_results: 3 },
    });
    expect(readWebSources(textOf(outcome))).toEqual([
      { n: 1, title: 'Tower', url: 'https://tower.example/', snippet: 'A tower of iron.' },
    ]);
  });

  it('asks Google', async () => {
    const { outcome, request } = await search(google());
    expect(request).toMatchObject({ path: '/customsearch/v1', query: { key: 'google-key', cx: 'engine', num: '6' } });
    expect(readWebSources(textOf(outcome)).map(({ n, url }) => [n, url])).toEqual([
      [1, 'https://one.example/'],
      [2, 'https://two.example/page'],
    ]);
  });

  it('asks SerpAPI, from no place in particular', async () => {
    const { outcome, request } = await search(serpapi());
    expect(request?.query).toEqual({ engine: 'google', q: 'tower', api_key: 'serpapi-key' });
    expect(readWebSources(textOf(outcome))).toHaveLength(1);
  });

  it('asks Brave', async () => {
    const { outcome, request } = await search(brave());
    expect(request).toMatchObject({
      path: '/res/v1/web/search',
      query: { q: 'tower', count: '6' },
      headers: { 'x-subscription-token': 'brave-key' },
    });
    expect(readWebSources(textOf(outcome))[0]?.snippet).toBe('A tower.');
  });

  it('asks a SearXNG of the operator', async () => {
    const { outcome, request } = await search(searxng());
    expect(request).toMatchObject({ path: '/search', query: { q: 'tower', format: 'json' } });
    expect(textOf(outcome)).toBe('[1] Tower\nhttps://tower.example/\nIron.');
  });

  it('asks the first that is set up', async () => {
    const all = { ...searxng(), ...brave(), ...serpapi(), ...google() };
    expect((await search(all)).request?.path).toBe('/customsearch/v1');
    expect((await search({ ...all, ...tavily() })).request?.method).toBe('POST');
    expect((await search({ ...searxng(), ...brave() })).request?.path).toBe('/res/v1/web/search');
  });

  it('numbers its sources above those of files where there are any', async () => {
    const file = { type: 'file' as const, fileId: user, path: '', name: 'a.pdf', mime: 'application/pdf', bytes: 1 };
    const chosen = choosing(user, ['web_search'], [file]);
    const tool = await toolOf(await webTools(searxng()), chosen, 'web_search');
    expect(textOf(await callTool(tool, { query: 'a' }, chosen))).toMatch(/^\[101\] /);
    expect(textOf(await callTool(tool, { query: 'b' }, chosen))).toMatch(/^\[102\] /);
  });

  it('tells the model why it failed, without the key', async () => {
    const { outcome } = await search(brave(), { query: 'fake:refuse' });
    expect(outcome).toEqual({
      type: 'failed',
      text: 'Brave answers with status 401: {"error":"The key … is not valid"}',
      service: { host: expect.any(String), status: 401 },
    });
  });

  it('is off without a service, and says so where it is chosen', async () => {
    const tools = await webTools({});
    const sentence = expect.stringContaining('No search service is set up on this server.');
    expect(await tools.list(user)).toMatchObject([
      { key: 'web_search', from: { source: 'builtin' }, unavailable: sentence },
      { key: 'web_page', unavailable: null },
    ]);
    expect(await tools.tools(choosing(user, ['web_search']))).toMatchObject({
      tools: [],
      problems: [{ text: sentence }],
    });
    expect((await (await webTools(searxng())).list(user)).map(({ unavailable }) => unavailable)).toEqual([null, null]);
  });
});

describe('a page of the web', () => {
  async function site(answer: RequestListener): Promise<string> {
    const server = createServer(answer);
    sites.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  async function read(url: string, question = '', exempt = ['127.0.0.1'], signal?: AbortSignal) {
    const chosen = choosing(user, ['web_page']);
    const tool = await toolOf(await webTools({}, exempt), chosen, 'web_page');
    return callTool(tool, { url, question }, chosen, signal);
  }

  it('is read as text, from its beginning', async () => {
    const url = await site((_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html; charset=iso-8859-1' })
        .end(Buffer.from('<title>T</title><style>p{}</style><h1>Café</h1><p>One &amp; two.</p>', 'latin1')),
    );
    expect(await read(`${url}/a?b=1#c`)).toEqual({ type: 'done', text: `${url}/a?b=1#c\n\nCafé\n\nOne & two.` });
  });

  it('is sent as the passages about the question when it is long', async () => {
    const text = textOf(await read(`${upstreams.url}/page`, 'How high was the lighthouse of Pharos?'));
    expect(text).toContain('over one hundred metres high');
    expect(text).not.toContain('Paragraph 0 ');
    expect(text.length).toBeLessThan(14_000);
  });

  it('is found after redirects on its host; another host is only told', async () => {
    const url = await site(({ url: path }, response) => {
      if (path === '/old') return response.writeHead(301, { location: '/new' }).end();
      if (path === '/inside') return response.writeHead(302, { location: 'http://localhost:9/secret' }).end();
      if (path === '/round') return response.writeHead(302, { location: '/round' }).end();
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('Moved here.');
    });
    expect(await read(`${url}/old`)).toEqual({ type: 'done', text: `${url}/new\n\nMoved here.` });
    expect(await read(`${url}/inside`)).toEqual({
      type: 'done',
      text: `${url}/inside leads to http://localhost:9/secret on another host, which was not opened. To read it, call this tool with that address.`,
    });
    expect(textOf(await read(`${url}/round`))).toBe(`${url}/round leads from one address to the next without end.`);
  });

  it('is followed to the hosts that the operator lists, each of which is checked', async () => {
    const url = await site((_, response) => response.writeHead(302, { location: 'http://localhost:9/secret' }).end());
    const env = { WEB_PAGE_HOSTS: 'localhost' };
    const chosen = choosing(user, ['web_page']);
    const tool = await toolOf(await webTools(env, ['127.0.0.1']), chosen, 'web_page');
    expect(await callTool(tool, { url }, chosen)).toEqual({
      type: 'failed',
      text: 'http://localhost:9/secret cannot be opened: only public https addresses can.',
    });
  });

  it.each([
    ['docs.example.com', ['https://docs.example.com/?d=1', 'http://docs.example.com:8080/'], ['https://example.com/']],
    ['*.example.com', ['https://a.b.example.com/'], ['https://example.com/', 'https://example.com.evil.example/']],
    ['Example.com, other.example', ['https://example.com/a'], ['https://badexample.com/', 'https://example.com./']],
    ['*', ['https://anywhere.example/?d=1'], []],
  ])('is read unasked at the hosts %s', async (hosts, unasked, asked) => {
    const chosen = choosing(user, ['web_page']);
    const tool = await toolOf(await webTools({ WEB_PAGE_HOSTS: hosts }), chosen, 'web_page');
    for (const url of unasked) expect([url, await tool.asksAbout?.({ url })]).toEqual([url, null]);
    for (const url of asked) expect(await tool.asksAbout?.({ url })).toMatchObject({ does: `GET ${url}` });
  });

  it('of an operator whose list cannot be read stops the start with a sentence', async () => {
    await expect(webTools({ WEB_PAGE_HOSTS: 'https://example.com' })).rejects.toThrow(
      'WEB_PAGE_HOSTS must be a comma list of host names such as example.com or *.example.com, or *',
    );
  });

  it.each([
    ['http://127.0.0.1:1/'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://[::1]/'],
    ['file:///etc/passwd'],
    ['no address'],
    ['https://user:password@example.com/'],
  ])('at %s is not opened', async (url) => {
    expect(await read(url, '', [])).toEqual({ type: 'failed', text: expect.stringContaining('cannot be opened') });
  });

  it.each([
    [404, 'text/html', 'answers with status 404.'],
    [200, 'image/png', 'is no page that can be read: its type is image/png.'],
    [200, 'text/html', 'The page has no text.'],
  ])('with status %i and type %s says so', async (status, type, sentence) => {
    const url = await site((_, response) => response.writeHead(status, { 'content-type': type }).end());
    expect(textOf(await read(url))).toContain(sentence);
  });

  function pdf(document: string, type = 'application/pdf'): Promise<string> {
    return site((_, response) =>
      response.writeHead(200, { 'content-type': type }).end(Buffer.from(document, 'latin1')),
    );
  }

  it('is sent as the pages about the question when it is a PDF', async () => {
    const url = await pdf(longPdf());
    const text = textOf(await read(`${url}/birds`, 'How high do the red kites nest?'));
    expect(text).toMatch(new RegExp(`^${url}/birds\n\nPage 7\n`));
    expect(text).toContain('The red kites nest 23 metres above the mill.');
    expect(text.length).toBeLessThan(14_000);
  });

  it('is sent from its first page without a question when it is a PDF, even when only its name says so', async () => {
    const document = makePdfPages([lines(['Kites nest high.', 700]), lines(['Owls do not.', 700])]);
    const url = await pdf(document, 'application/octet-stream');
    expect(textOf(await read(`${url}/Birds.PDF?raw=1`))).toBe(
      `${url}/Birds.PDF?raw=1\n\nPage 1\nKites nest high.\n\nPage 2\nOwls do not.`,
    );
    expect(textOf(await read(`${url}/birds`))).toContain('its type is application/octet-stream');
  });

  it.each([
    ['<html>Sign in</html>', 'it is damaged'],
    [makePdfPages(['']), 'it has pictures of pages, and no text'],
    [
      readFileSync(join(import.meta.dirname, '../../fixtures/documents/encrypted.pdf'), 'latin1'),
      'it is locked with a password',
    ],
  ])('that is a PDF without text says why', async (document, why) => {
    const url = await pdf(document);
    expect(await read(url)).toEqual({ type: 'failed', text: `The PDF at ${url} cannot be read: ${why}.` });
  });

  it('says when it is a PDF beyond 20 MB', async () => {
    const url = await pdf('%PDF-1.7\n'.padEnd(20 * 1024 * 1024 + 1));
    expect(await read(url)).toEqual({ type: 'failed', text: `The PDF at ${url} is larger than 20 MB.` });
  });

  it('is read up to a limit when it never ends', async () => {
    const url = await site((_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      const piece = 'endless words. '.repeat(4096);
      const write = () => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', write);
      };
      write();
    });
    expect(textOf(await read(url))).toContain('endless words.');
  });

  it('is given up when a person stops', async () => {
    let isAsked = false;
    const url = await site(() => (isAsked = true));
    const stop = new AbortController();
    const reading = read(url, '', ['127.0.0.1'], stop.signal);
    await expect.poll(() => isAsked).toBe(true);
    stop.abort();
    await expect(reading).rejects.toThrow(/abort/i);
  });
});
