// (k) How much code an exchange enters, its title included, plain and with one call of a tool: named functions and files
// of the server, the schema and the database.
import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { asFields } from '@parley/schema/json';
import WebSocket from 'ws';
import { root } from '../build-stamps.mjs';
import { printFigures } from './figures.ts';
import { startHelper } from './child-process.ts';
import { openParley, type Parley } from './parley-server.ts';
import { openHelpers } from './relay.ts';
import type { ToolClientCalls } from './tools/clients.ts';
import type { ToolProviderCalls } from './tools/provider.ts';

const EXCHANGE = 'tokens:20@10';
const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };
/** What a server enters in so many milliseconds without an exchange does not count: it looks for work now and then. */
const IDLE_MS = 6000;
const BUNDLE = pathToFileURL(resolve(root, 'server/dist/')).href;
const OWN = /^(server|schema|db)\/src\//;

/** Prints the functions by file, then a table, of each kind of exchange. Returns how many targets were missed. */
export async function benchCoverage(): Promise<number> {
  return (await benchPlain()) + (await benchOneCall());
}

async function benchPlain(): Promise<number> {
  const helpers = await openHelpers();
  const parley = await openParley(helpers.providerUrl, INSPECTED);
  try {
    await helpers.load.open('parley', parley.server.url, 1);
    return printEntered('a plain exchange', await enterOnce(parley, () => helpers.load.run('parley', EXCHANGE)));
  } finally {
    await parley.close();
    await Promise.all([helpers.load.end(), helpers.provider.end()]);
  }
}

async function benchOneCall(): Promise<number> {
  const provider = startHelper<ToolProviderCalls>('./tools/provider.ts');
  const clients = startHelper<ToolClientCalls>('./tools/clients.ts');
  const urls = await provider.urls();
  const service = { WOLFRAM_BASE_URL: urls.service, WOLFRAM_APP_ID: 'fake' };
  const parley = await openParley(urls.provider, { ...INSPECTED, ...service });
  const question = { tools: ['wolfram'], text: '[[call-tool:wolfram {"nl_query":"MARK"}]] MARK', calls: 1 };
  try {
    await clients.open(parley.server.url, 1);
    const ask = () => Promise.resolve(clients.beginAnew()).then(() => clients.ask(0, question));
    return printEntered('an exchange with one call of a tool', await enterOnce(parley, ask));
  } finally {
    await clients.close();
    await parley.close();
    await Promise.all([clients.end(), provider.end()]);
  }
}

function printEntered(what: string, entered: readonly EnteredFunction[]): number {
  const files = [...new Set(entered.map(({ file }) => file))].toSorted();
  for (const one of files) {
    const names = entered.flatMap(({ file, name }) => (file === one ? name : []));
    console.log(`${one}  ${names.join(' ')}`);
  }
  return printFigures(`(k) what ${what} enters`, [
    { name: 'named functions', cells: { parley: `${entered.length}` } },
    { name: 'files', cells: { parley: `${files.length}` } },
  ]);
}

interface EnteredFunction {
  file: string;
  name: string;
  /** Where it begins in the bundle. */
  place: string;
}

/** What the server enters for an exchange that is not its first one. */
async function enterOnce({ server }: Parley, ask: () => Promise<unknown>): Promise<EnteredFunction[]> {
  const devtools = await openDevtools(/listening on (ws:\S+)/.exec(server.said())?.[1] ?? '');
  // The first exchange loads what is loaded on first use.
  await ask();
  // What follows it, such as its title, has ended by then, and so below.
  await sleep(IDLE_MS);
  // Functions whose code is thrown away for being old are not counted.
  await devtools.send('Runtime.evaluate', {
    expression: "process.getBuiltinModule('v8').setFlagsFromString('--no-flush-bytecode')",
  });
  await devtools.send('Profiler.enable');
  await devtools.send('Profiler.startPreciseCoverage', { callCount: true });
  await sleep(IDLE_MS);
  const idle = new Set((await takeEntered()).map(({ place }) => place));
  await ask();
  await sleep(IDLE_MS);
  const entered = await takeEntered();
  devtools.close();
  return entered.filter(({ place }) => !idle.has(place));

  async function takeEntered(): Promise<EnteredFunction[]> {
    const coverage = (await devtools.send('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType;
    return coverage.result.filter(({ url }) => url.startsWith(BUNDLE)).flatMap(enteredFunctions);
  }
}

/** The named functions of a chunk of the bundle that were called, each with its source. */
function enteredFunctions({ url, functions }: Profiler.ScriptCoverage): EnteredFunction[] {
  const chunk = fileURLToPath(url);
  const text = readFileSync(chunk, 'utf8');
  const map = new SourceMap(JSON.parse(readFileSync(`${chunk}.map`, 'utf8')));
  return functions.flatMap(({ functionName: name, ranges: [range] }) => {
    if (name === '' || !range || range.count === 0) return [];
    const lines = text.slice(0, range.startOffset).split('\n');
    const entry = map.findEntry(lines.length - 1, lines.at(-1)?.length ?? 0);
    const file = 'originalSource' in entry ? relative(root, resolve(dirname(chunk), entry.originalSource)) : '';
    // The bundle numbers names that several files have.
    return OWN.test(file) ? { file, name: name.replace(/\d+$/, ''), place: `${url}:${range.startOffset}` } : [];
  });
}

/** The debugger of a process. */
async function openDevtools(address: string) {
  const socket = new WebSocket(address);
  await new Promise((onOpen, onError) => socket.once('open', onOpen).once('error', onError));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.on('message', (bytes: Buffer) => {
    const { id, result } = asFields(JSON.parse(bytes.toString()));
    if (typeof id === 'number') waiting.get(id)?.(result);
  });
  return {
    send: (method: string, params = {}) =>
      new Promise<unknown>((onResult) => {
        const id = waiting.size + 1;
        waiting.set(id, onResult);
        socket.send(JSON.stringify({ id, method, params }));
      }),
    close: () => socket.close(),
  };
}
