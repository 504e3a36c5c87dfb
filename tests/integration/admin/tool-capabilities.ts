// What a person can do with tool servers, as questions whether it works, over fake servers that take calls.
import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { startFakeMcpServer } from '@parley/scripts/fake-tools/mcp-server';
import { mountConnections } from '@parley/server/actions/connection-routes';
import type { HttpEnv } from '@parley/server/platform/requests/http-env';
import { grantTool } from '@parley/server/tools/grants';
import { Hono } from 'hono';
import { exchange, question } from '../../support/exchange.ts';
import type { Person, TestServices } from '../../support/services.ts';
import { callTool, choosing, toolOf } from '../../support/tools/tool-run.ts';

const KEY = { name: 'X-Key', value: 'of the person' };

type Works = () => Promise<boolean>;

interface Maker extends Person {
  name: string;
  /** The refresh cookie of the session that acts. */
  cookie: string;
}

interface Given {
  services: TestServices;
  /** Who uses what the person lends. */
  reader: Person;
  isLetThrough(call: Promise<unknown>): Promise<boolean>;
}

/** Servers that take no key, take `KEY`, and ask for a sign-in. */
export async function startToolServers() {
  const open = await startFakeMcpServer();
  const keyed = await startFakeMcpServer({ auth: { type: 'header', ...KEY } });
  const signedIn = await startFakeMcpServer({ auth: { type: 'oauth' } });
  const all = [open, keyed, signedIn];
  return {
    open,
    keyed,
    signedIn,
    env: { MCP_USER_SERVERS: 'on', EGRESS_ALLOWED_HOSTS: all.map(({ host }) => host).join() },
    close: () => Promise.all(all.map((one) => one.close())),
  };
}
type ToolServers = Awaited<ReturnType<typeof startToolServers>>;

/** @param times how often the sign-in under way is asked about: each is for once */
export async function toolCapabilities(servers: ToolServers, given: Given, person: Maker, times: number) {
  return {
    ownToolServer: await ownServer(servers, given, person),
    lentToolServer: await lentServer(servers, given, person),
    serviceSignIn: await signInUnderWay(servers, given, person, times),
    serverToolServer: await serverForAll(servers, given, person),
  } satisfies Record<string, Works>;
}

async function ownServer(
  { keyed }: ToolServers,
  { services, isLetThrough }: Given,
  { id, api }: Maker,
): Promise<Works> {
  const added = await api.mcp.add({ name: 'Own', url: keyed.url, auth: 'header', header: KEY });
  const tools = [`mcp:${added.id}`];
  const { db, mcp } = services.deps;
  await grantTool(db.query, id, await toolOf(mcp.source, choosing(id, tools), 'mcp_Own_echo'));
  const asked = () => question('call mcp_Own_echo {"text":"hi"}', { model: 'fake:tool-steps', settings: { tools } });
  return async () => {
    const before = keyed.calls.length;
    const isAnswered = await isLetThrough(exchange(services, id, asked()));
    if (isAnswered !== keyed.calls.length > before) throw new Error('The server is called for some answers only');
    return isAnswered;
  };
}

/** Works for a new answer, and for one that had the tool before. */
async function lentServer({ open }: ToolServers, { services, reader, isLetThrough }: Given, { api }: Maker) {
  const { id } = await api.mcp.add({ name: 'Lent', url: open.url, auth: 'none' });
  const { assistantId } = await api.assistants.create({ name: 'Guide', model: 'fake:tool-steps', isShared: true });
  await api.assistants.update({ assistantId, tools: [`mcp:${id}`] });
  const settings = { assistant_id: assistantId };
  const offered = async () => {
    const { endpoints, findResponder, tools } = services.deps;
    const responder = await findResponder(reader.id, endpoints.assert('assistants'), { model: null, settings });
    const { keys = [], lender } = responder.assistant ?? {};
    const found = (await tools.for({ ...choosing(reader.id, keys), lender })).tools.get('mcp_Lent_echo');
    if (!found) throw new Error('The tool is not offered');
    return found;
  };
  const held = await offered();
  return async () => {
    const { type } = await callTool(held, { text: 'hi' }, choosing(reader.id, []));
    const isOffered = await isLetThrough(offered());
    if (isOffered !== (type === 'done')) throw new Error(`Offered: ${isOffered}, called: ${type}`);
    return isOffered;
  };
}

async function signInUnderWay(
  { signedIn }: ToolServers,
  { services }: Given,
  { api, name, cookie }: Maker,
  times: number,
): Promise<Works> {
  const pages = new Hono<HttpEnv>();
  mountConnections(pages, services.deps);
  const visit = (path: string, cookies: string) => {
    // Of the request only the address of the socket is read; each person has one, so that none is limited.
    const incoming = { socket: { remoteAddress: `${name}.test` }, headers: {} } as unknown as IncomingMessage;
    return pages.request(path, { headers: { cookie: cookies } }, { incoming } as HttpBindings);
  };
  const begin = async () => {
    const { id } = await api.mcp.add({ name: 'Mail', url: signedIn.url, auth: 'oauth' });
    const { url } = await api.mcp.signIn({ id });
    const start = await visit(pathOf(url), cookie);
    const consent = await fetch(start.headers.get('location') ?? '', { redirect: 'manual' });
    const flow = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    return { path: pathOf(consent.headers.get('location') ?? ''), flow };
  };
  const begun: Awaited<ReturnType<typeof begin>>[] = [];
  for (let i = 0; i < times; i++) begun.push(await begin());
  return async () => {
    const { path, flow } = begun.pop() ?? { path: '', flow: '' };
    return (await visit(path, flow)).status === 200;
  };
}

async function serverForAll({ keyed }: ToolServers, { services, reader }: Given, { api, name }: Maker): Promise<Works> {
  const server = name.slice(0, 32);
  await api.admin.tools.saveServer({ name: server, url: keyed.url, headers: [KEY], version: null });
  return async () => {
    const chosen = choosing(reader.id, [`mcp:${server}`]);
    const { tools } = await services.deps.tools.for(chosen);
    const echo = [...tools.values()].find((tool) => tool.name.endsWith('echo'));
    return echo !== undefined && (await callTool(echo, { text: 'hi' }, chosen)).type === 'done';
  };
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
