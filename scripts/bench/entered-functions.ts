// (k) How much code one plain exchange enters: named functions and files of the server, the schema and the database.
import { readFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import WebSocket from 'ws';
import { root } from '../build-stamps.mjs';
import { printFigures } from './figures.ts';
import { openParley } from './parley-server.ts';
import { openHelpers } from './relay.ts';

const EXCHANGE = 'tokens:20@10';
const BUNDLE = pathToFileURL(resolve(root, 'server/dist/')).href;
const OWN = /^(server|schema|db)\/src\//;

/** Prints the functions by file, then the table. Returns how many targets were missed. */
export async function benchCoverage(): Promise<number> {
  const entered = await enterOnce();
  const files = [...new Set(entered.map(({ file }) => file))].toSorted();
  for (const one of files) {
    const names = entered.flatMap(({ file, name }) => (file === one ? name : []));
    console.log(`${one}  ${names.join(' ')}`);
  }
  return printFigures('(k) what one plain exchange enters', [
    { name: 'named functions', cells: { parley: `${entered.length}` } },
    { name: 'files', cells: { parley: `${files.length}` } },
  ]);
}

interface EnteredFunction {
  file: string;
  name: string;
}

async function enterOnce(): Promise<EnteredFunction[]> {
  const helpers = await openHelpers();
  const parley = await openParley(helpers.providerUrl, { NODE_OPTIONS: '--inspect=127.0.0.1:0' });
  try {
    const devtools = await openDevtools(/listening on (ws:\S+)/.exec(parley.server.said())?.[1] ?? '');
    await helpers.load.open('parley', parley.server.url, 1);
    // The first exchange loads what is loaded on first use.
    await helpers.load.run('parley', EXCHANGE);
    await devtools.send('Profiler.enable');
    await devtools.send('Profiler.startPreciseCoverage', { callCount: true });
    await helpers.load.run('parley', EXCHANGE);
    const { result } = (await devtools.send('Profiler.takePreciseCoverage')) as Profiler.TakePreciseCoverageReturnType;
    devtools.close();
    return result.filter(({ url }) => url.startsWith(BUNDLE)).flatMap(enteredFunctions);
  } finally {
    await parley.close();
    await Promise.all([helpers.load.end(), helpers.provider.end()]);
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
    return OWN.test(file) ? { file, name: name.replace(/\d+$/, '') } : [];
  });
}

/** The debugger of a process. */
async function openDevtools(address: string) {
  const socket = new WebSocket(address);
  await new Promise((onOpen, onError) => socket.once('open', onOpen).once('error', onError));
  const waiting = new Map<number, (result: unknown) => void>();
  socket.on('message', (bytes: Buffer) => {
    const { id, result } = JSON.parse(bytes.toString()) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
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
