// Services with MCP servers by yaml.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Timings } from '@parley/server/config/timings';
import type { ToolOutcome, ToolRun } from '@parley/server/tools/tool';
import { openTestServices, type Person, type TestServices } from '../../support/services.ts';
import { callTool, choosing, toolOf } from '../../support/tools/tool-run.ts';

export interface OpenMcp {
  services: TestServices;
  alice: Person;
  bob: Person;
  /** The tools of a server by their own names, as the person is offered them. */
  toolsOf(person: Person, id: string): Promise<{ names: string[]; problems: string[] }>;
  /** Calls a tool, which is named as a model knows it. */
  call(
    person: Person,
    id: string,
    name: string,
    args?: Record<string, unknown>,
    signal?: AbortSignal,
  ): Promise<ToolOutcome>;
  close(): Promise<void>;
}

/** @param servers `mcpServers` of the yaml file */
export async function openMcp(
  servers: Record<string, unknown>,
  env: Record<string, string> = {},
  timings: Partial<Timings> = {},
): Promise<OpenMcp> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-mcp-'));
  const file = join(folder, 'parley.yaml');
  writeFileSync(file, JSON.stringify({ version: '1.0.7', mcpServers: servers }));
  const services = await openTestServices({ CONFIG_PATH: file, MCP_USER_SERVERS: 'on', ...env }, timings);
  const { source } = services.deps.mcp;
  return {
    services,
    alice: await services.as('alice'),
    bob: await services.as('bob'),
    async toolsOf({ id: userId }, id) {
      const { tools, problems } = await source.tools(choosing(userId, [`mcp:${id}`]));
      return { names: tools.map(({ name }) => name), problems: problems.map(({ text }) => text) };
    },
    async call({ id: userId }, id, name, args = {}, signal = new AbortController().signal) {
      const chosen = choosing(userId, [`mcp:${id}`]);
      return callTool(await toolOf(source, chosen, name), args, chosen, signal);
    },
    async close() {
      await services.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What a tool reports while it runs. */
export async function reportsOf(
  { services }: OpenMcp,
  { id: userId }: Person,
  id: string,
  name: string,
): Promise<Parameters<ToolRun['report']>[0][]> {
  const chosen = choosing(userId, [`mcp:${id}`]);
  const tool = await toolOf(services.deps.mcp.source, chosen, name);
  const said: Parameters<ToolRun['report']>[0][] = [];
  const run = { userId, convoId: chosen.convoId, generationId: 'generation', callId: '0:0', args: {} };
  await tool.run({ ...run, signal: new AbortController().signal, report: (one) => said.push(one) });
  return said;
}
