// The tools of MCP servers.
import type { ToolOrigin } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { McpTool } from '@parley/schema/tools/mcp-servers';
import { MCP_TOOLS_OFFERED_MAX, readServerKey } from '@parley/schema/tools/mcp-servers';
import { cutText } from '@parley/schema/tools/foreign-text';
import type { ToolInfo } from '@parley/schema/tools/tools';
import type { FileSaverDeps } from '../files/save-file.ts';
import { calledFirst, putFirst } from '../tools/called-first.ts';
import { listGrants } from '../tools/grants.ts';
import { createUniqueNames } from '../tools/tool-names.ts';
import { cutOutput } from '../tools/cut-output.ts';
import { isLeft } from '../tools/tool-filter.ts';
import { lentTool } from '../tools/lending.ts';
import type { FailedService, Lender, SourceTools, Tool, ToolOutcome, ToolRun, ToolSource } from '../tools/tool.ts';
import type { McpClients } from './clients.ts';
import { readContent } from './content.ts';
import { isSignInNeeded, mcpFailureReason, mcpFailureSentence, mcpHttpStatus } from './failure.ts';
import { toolName } from './names.ts';
import { asLent, canSignIn, mcpService, type McpServerEntry, type McpServers } from './servers.ts';
import { signInTool, signInToolName, findSignInUrl } from './sign-in-tool.ts';
import type { ToolList, ToolLists } from './tool-lists.ts';

export interface McpSourceDeps extends FileSaverDeps {
  servers: McpServers;
  clients: McpClients;
  lists: ToolLists;
  /** The services that a person is signed in to. */
  servicesOf(userId: string): Promise<ReadonlySet<string>>;
}

const PREFIX = mcpService('');
/** How much of what a tool says of itself people read where they choose it, in characters. */
const ABOUT_CHARS = 200;
/** How much of an answer a model gets, in characters. */
const OUTPUT_CHARS = 32_000;
/** Room for the sentence about what is left out. */
const CUT_CHARS = OUTPUT_CHARS - 100;
/** The call ends by itself before this. */
const LATER_MS = 5_000;

export function createMcpSource(deps: McpSourceDeps): ToolSource {
  return {
    name: 'mcp',
    async tools({ userId, keys, lender, waiting = [], called = [] }) {
      const { ids, only } = readKeys(keys);
      if (ids.size === 0) return { tools: [], problems: [] };
      const known = new Map((await deps.servers.list(userId)).map((server) => [server.id, server]));
      const lentIds = new Set([...ids].filter((id) => !known.has(id) && lender?.keys.includes(mcpService(id))));
      const lent = lender && lentIds.size > 0 ? await deps.servers.list(lender.userId) : [];
      const found = await Promise.all(
        [...ids].map(async (id) => {
          const theirs = lender && lentIds.has(id) ? lent.find((server) => server.id === id) : undefined;
          const choice = { waiting, called, only: only.get(id) };
          if (!lender || !theirs) return toolsOf(deps, id, known.get(id), choice);
          return lentToolsOf(deps, theirs, { userId, lender, own: [...known.values()], ...choice });
        }),
      );
      const unique = createUniqueNames();
      const tools = found.flatMap((one) => one.tools).map((tool) => ({ ...tool, name: unique(tool.name) }));
      return { tools, problems: found.flatMap(({ problems }) => problems) };
    },
    async list(userId) {
      const [servers, lists, services] = await Promise.all([
        deps.servers.list(userId),
        deps.lists.readAll(userId),
        deps.servicesOf(userId),
      ]);
      return servers
        .filter(({ isEnabled }) => isEnabled)
        .map((server) => infoOf(deps, server, lists.get(server.id), services.has(mcpService(server.id))));
    },
  };
}

function infoOf(
  deps: McpSourceDeps,
  server: McpServerEntry,
  { tools = [], off = [], reason: seen = null }: Partial<ToolList> = {},
  isSignedIn: boolean,
): ToolInfo {
  const parts = tools
    .filter(({ name, isUnusable }) => !isUnusable && isLeft(server.filter, name))
    .map(({ name, description }) => ({
      name,
      ...(description !== '' && { description: cutText(description, ABOUT_CHARS) }),
      isOn: !off.includes(name),
    }));
  const names = parts.filter(({ isOn }) => isOn).map(({ name }) => name);
  // One that was never asked would say the same.
  const untried: Reason | null = server.auth === 'oauth' && !isSignedIn ? { type: 'unauthorized' } : null;
  // A server whose tools are known may be back by the time that it is asked.
  const reason = tools.length === 0 ? (seen ?? untried) : null;
  const isLocked = reason?.type === 'unauthorized' && canSignIn(server);
  return {
    key: mcpService(server.id),
    from: originOf(server),
    description: names.join(', '),
    ...(parts.length > 0 && { tools: parts }),
    unavailable: reason && !isLocked ? mcpFailureSentence(reason, server.name) : null,
    ...(reason && { why: { type: 'service', name: server.name, reason: reason.type } }),
    ...(isLocked && { signInUrl: findSignInUrl(deps.config, server) }),
  };
}

/** The servers of the keys, and the tools of those of which only some are chosen. */
function readKeys(keys: readonly string[]) {
  const ids = new Set<string>();
  const only = new Map<string, Set<string>>();
  for (const key of keys.filter((one) => one.startsWith(PREFIX))) {
    const { server, tool } = readServerKey(key);
    if (tool === null) ids.add(server);
    else only.set(server, (only.get(server) ?? new Set()).add(tool));
  }
  return { ids, only };
}

interface Choice {
  waiting: readonly string[];
  called: readonly string[];
  /** The names of the tools that an assistant uses; all where it is absent. */
  only: ReadonlySet<string> | undefined;
  /** Those that the owner of a lent server switched off. */
  offByOwner?: readonly string[];
}

async function toolsOf(
  deps: McpSourceDeps,
  id: string,
  server: McpServerEntry | undefined,
  choice: Choice,
): Promise<SourceTools> {
  const problem = (from: ToolOrigin, text: string): SourceTools => ({ tools: [], problems: [{ from, text }] });
  if (!server) return problem({ source: 'mcp', id, label: id }, 'This tool server no longer exists.');
  const from = originOf(server);
  if (!server.isEnabled) return problem(from, `${server.name} is switched off.`);
  // Who was asked to sign in may have done so a moment ago.
  const isAsked = choice.waiting.includes(signInToolName(server));
  const { tools, off, reason } = await (isAsked ? deps.lists.refresh(server) : deps.lists.atOnce(server));
  const chosen = chosenOf(server, { tools, off }, choice);
  const usable = chosen.filter(({ isUnusable }) => !isUnusable).map((tool) => asTool(deps, server, tool));
  const offered = await withUsedShown(deps, server, usable, choice.called);
  const isLocked = reason?.type === 'unauthorized';
  const signIn = signInTool(server, { from, url: findSignInUrl(deps.config, server), isAsked, reason });
  // A server that was never signed in to has no tools yet: the model asks for the sign-in when it needs them.
  if (isAsked || (isLocked && tools.length === 0 && canSignIn(server))) {
    return { tools: [...(reason ? [] : offered), signIn], problems: [] };
  }
  // Who has to sign in again gets the notice when a tool is called.
  if (reason && !(isLocked && tools.length > 0)) return problem(from, mcpFailureSentence(reason, server.name));
  const unusable = chosen.filter(({ isUnusable }) => isUnusable).map(({ name }) => name);
  return {
    tools: offered,
    problems:
      unusable.length === 0
        ? []
        : [{ from, text: `Left out of ${server.name}, since their schemas have faults: ${unusable.join(', ')}.` }],
  };
}

function chosenOf({ filter }: McpServerEntry, { tools, off }: Pick<ToolList, 'tools' | 'off'>, choice: Choice) {
  const { only, offByOwner = [] } = choice;
  const isOff = (name: string) => off.includes(name) || offByOwner.includes(name) || (only && !only.has(name));
  // A kept list may be of a time when the operator left more.
  return tools.filter(({ name }) => isLeft(filter, name) && !isOff(name));
}

/**
 * Of many tools, all but some are hidden: the conversation's own calls say best what is used, then what a person always
 * allows. The order does not follow the calls: providers cache a list of tools that stays as it is.
 */
async function withUsedShown(
  { db }: McpSourceDeps,
  { userId }: McpServerEntry,
  tools: readonly Tool[],
  called: readonly string[],
): Promise<Tool[]> {
  if (tools.length <= MCP_TOOLS_OFFERED_MAX) return [...tools];
  const granted = new Set((await listGrants(db.query, userId)).map(({ tool }) => tool));
  const allowedFirst = putFirst(tools, ({ from, name }) => granted.has(`mcp:${from.id}:${name}`));
  const shown = new Set(calledFirst(allowedFirst, called).slice(0, MCP_TOOLS_OFFERED_MAX));
  return allowedFirst.map((tool) => (shown.has(tool) ? tool : { ...tool, isHidden: true }));
}

interface Borrowing extends Choice {
  userId: string;
  lender: Lender;
  /** The servers of who borrows. */
  own: readonly McpServerEntry[];
}

/**
 * The tools of another's server. Who has the same server uses their own account; what takes a key of a person is lent to
 * nobody, and where people sign in, they do so themselves.
 */
async function lentToolsOf(
  deps: McpSourceDeps,
  server: McpServerEntry,
  { userId, lender, own, ...choice }: Borrowing,
): Promise<SourceTools> {
  const same = own.find(({ target, isShared }) => !isShared && targetKey(target) === targetKey(server.target));
  if (same) return toolsOf(deps, same.id, same, choice);
  if (server.auth === 'header') {
    const text = `${server.name} takes a key of your own: add this tool server in the settings to use it here.`;
    return { tools: [], problems: [{ from: originOf(server), text }] };
  }
  const { off = [] } = (await deps.lists.read(server)) ?? {};
  const borrowed = { ...choice, offByOwner: off };
  const { tools, problems } = await toolsOf(deps, server.id, asLent(server, userId), borrowed);
  return { tools: tools.map((tool) => lentTool(tool, lender)), problems };
}

function targetKey(target: McpServerEntry['target']): string {
  return target.type === 'http' ? target.url : '';
}

function originOf({ id, name }: McpServerEntry): ToolOrigin {
  return { source: 'mcp', id, label: name };
}

/** What a server declares about its tools counts only where the operator trusts it. */
function asTool(deps: McpSourceDeps, server: McpServerEntry, tool: McpTool): Tool {
  const { isTrusted, timeoutMs } = server;
  const isRepeatable = isTrusted && (tool.isReadOnly || tool.isIdempotent === true);
  return {
    name: toolName(server.name, tool.name),
    description: tool.description || `${tool.name} of ${server.name}`,
    parameters: tool.parameters,
    kind: 'function',
    from: originOf(server),
    isRepeatable,
    asks: isTrusted && tool.isReadOnly ? 'never' : 'first',
    does: tool.name,
    limits: { timeoutMs: timeoutMs + LATER_MS, outputChars: OUTPUT_CHARS },
    run: (call) => callTool(deps, server, tool.name, isRepeatable, call),
  };
}

const STOPPED: ToolOutcome = { type: 'failed', text: 'The call was stopped.' };

async function callTool(
  deps: McpSourceDeps,
  server: McpServerEntry,
  name: string,
  isRepeatable: boolean,
  { args, signal, report, userId }: ToolRun,
): Promise<ToolOutcome> {
  if (signal.aborted) return STOPPED;
  const options = {
    signal,
    timeout: server.timeoutMs,
    onprogress: (progress: Progress) => report(reported(progress)),
  };
  try {
    const response = await deps.clients.use(
      server,
      (client) => client.callTool({ name, arguments: args }, options),
      isRepeatable,
    );
    const { text, outputs } = await readContent(deps, userId, name, response);
    const said = cutOutput(text, CUT_CHARS);
    if (response.isError) return { type: 'failed', text: said || 'The tool failed.', outputs };
    return { type: 'done', text: said || 'Done.', outputs };
  } catch (error) {
    if (signal.aborted) return STOPPED;
    if (isSignInNeeded(error) && canSignIn(server))
      return { type: 'needs', what: 'sign_in', url: findSignInUrl(deps.config, server) };
    return { type: 'failed', text: failureOf(error, server), ...serviceFailure(error, server) };
  }
}

interface Progress {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}

function reported({ progress, total, message }: Progress): Parameters<ToolRun['report']>[0] {
  return {
    ...(total !== undefined && total > 0 && { progress: Math.min(1, progress / total) }),
    ...(message !== undefined && { log: `${message}\n` }),
  };
}

const TOLD_MAX = 500;

/** Absent where the server answered by its protocol: then it works. */
function serviceFailure(error: unknown, { target }: McpServerEntry): { service?: FailedService } {
  if (error instanceof Error && error.name === 'ProtocolError') return {};
  const host = target.type === 'http' && URL.canParse(target.url) ? new URL(target.url).host : target.type;
  return { service: { host, status: mcpHttpStatus(error) } };
}

/** The server's own answer to a failed call helps the model; what went wrong on the way is described in our words. */
function failureOf(error: unknown, { name, timeoutMs }: McpServerEntry): string {
  if (error instanceof Error && error.name === 'ProtocolError') return `${name}: ${error.message.slice(0, TOLD_MAX)}`;
  return mcpFailureSentence(mcpFailureReason(error, timeoutMs), name);
}
