// A tool server without an SDK, which says exactly what a test wants, by HTTP or as a program.
import type { ServerResponse } from 'node:http';
import { listenLocally } from '@parley/scripts/local-server';

type Fields = Record<string, unknown>;

/** What it answers to a method, beside `jsonrpc` and `id`, which may be changed, too. */
export type Answers = Record<string, Fields>;

export const usual: Answers = {
  initialize: {
    result: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'plain', version: '1' },
    },
  },
  'tools/list': { result: { tools: [{ name: 'say', inputSchema: { type: 'object' } }] } },
  'tools/call': { result: { content: [{ type: 'text', text: 'said' }] } },
};

/** How its answers are sent: as JSON, as an event on one line, or as one whose data has many lines. */
export type Wire = 'json' | 'event' | 'lines';

export interface PlainServer {
  /** The address of what answers so. */
  urlOf(name: string, wire?: Wire): string;
  close(): Promise<void>;
}

export async function startPlainServer(byName: Record<string, Answers>): Promise<PlainServer> {
  const { url, close } = await listenLocally((request, response) => {
    const [, name = '', wire = 'json'] = (request.url ?? '').split('/');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString() || '{}') as { id?: number; method?: string };
      if (id === undefined || method === undefined) return response.writeHead(202).end();
      send(response, wire, { jsonrpc: '2.0', id, ...{ ...usual, ...byName[name] }[method] });
    });
  });
  return { urlOf: (name, wire = 'json') => `${url}/${name}/${wire}`, close };
}

function send(response: ServerResponse, wire: string, message: Fields): void {
  const isJson = wire === 'json';
  response.setHeader('content-type', isJson ? 'application/json; charset=utf-8' : 'text/event-stream');
  if (isJson) return void response.end(JSON.stringify(message));
  const lines = JSON.stringify(message, null, wire === 'lines' ? 2 : 0).split('\n');
  response.end(`: hello\r\nevent: message\r\n${lines.map((line) => `data: ${line}\r\n`).join('')}\r\n`);
}

/** The same as a program, for an entry of `mcpServers`. */
export function plainProgram(answers: Answers): { command: string; args: string[] } {
  const program = `
    const answers = ${JSON.stringify({ ...usual, ...answers })};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      console.log('not JSON');
      if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answers[method] }));
    });`;
  return { command: process.execPath, args: ['-e', program] };
}
