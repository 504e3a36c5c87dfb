// Parses YAML of users in a process of its own: half a megabyte can keep a parser busy for seconds.
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createSemaphore } from '../platform/semaphore.ts';

const TIMEOUT_MS = 20_000;
const HEAP_MB = 256;
const AT_ONCE = 2;

const places = createSemaphore(AT_ONCE);

/**
 * The value of a YAML text; undefined when it cannot be parsed, or takes too long or too much memory.
 * @param program the worker's; the one beside this module unless a test has another
 */
export function parseYaml(text: string, program: URL = workerBeside(import.meta.url)): Promise<unknown> {
  return places(() => parseInProcess(text, program));
}

async function parseInProcess(text: string, program: URL): Promise<unknown> {
  const worker = startWorker(program);
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      timer = setTimeout(() => resolve(undefined), TIMEOUT_MS);
      worker.on('message', (answer: { json: string | null }) => {
        resolve(answer.json === null ? undefined : JSON.parse(answer.json));
      });
      worker.on('error', () => resolve(undefined));
      worker.on('exit', () => resolve(undefined));
      worker.send(text, () => {});
    });
  } finally {
    clearTimeout(timer);
    worker.kill('SIGKILL');
  }
}

function startWorker(program: URL): ChildProcess {
  const flags = [`--max-old-space-size=${HEAP_MB}`];
  if (program.pathname.endsWith('.ts')) flags.push('--import', import.meta.resolve('tsx'));
  return fork(fileURLToPath(program), { execArgv: flags, env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
}

/** Beside this module in the sources; in a build it stands with `main.js`. */
function workerBeside(module: string): URL {
  if (module.endsWith('.ts')) return new URL('./yaml-worker.ts', module);
  return new URL(module.includes('/chunks/') ? '../yaml-worker.js' : './yaml-worker.js', module);
}
