// Code interpreters over a real database and store, with real kernels. All tests of a file share one snapshot.
import { randomUUID } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import type { Attachment, ToolOutput } from '@parley/schema/messages/messages';
import { createInterpreter, type Interpreter, type InterpreterLimits } from '@parley/server/interpreter/interpreter';
import { findUsableFiles } from '@parley/server/skills/usable-skills';
import type { Tool, ToolOutcome } from '@parley/server/tools/tool';
import { pino, type Logger } from 'pino';
import { openTestServices, type TestServices } from '../services.ts';

export interface Call {
  userId?: string;
  convoId?: string;
  files?: readonly Attachment[];
  /** Beside the code interpreter. */
  keys?: readonly string[];
  signal?: AbortSignal;
  onLog?: (log: string) => void;
}

export interface TestInterpreter {
  services: TestServices;
  interpreter: Interpreter;
  /** An interpreter of its own with other limits, closed with this one. */
  withLimits(limits: Partial<InterpreterLimits>): TestCalls;
  close(): Promise<void>;
}

export interface TestCalls {
  interpreter: Interpreter;
  /** Runs code as the model would, in a conversation of its own unless one is given. */
  run(code: string, call?: Call): Promise<Ran>;
  tool(call?: Call): Promise<Tool>;
}

export interface Ran {
  type: ToolOutcome['type'];
  /** For the model. */
  text: string;
  outputs: ToolOutput[];
  /** What was reported while the code ran. */
  logs: string[];
}

export async function openTestInterpreter(
  env: Record<string, string> = {},
  limits: Partial<InterpreterLimits> = {},
  log: Logger = pino({ level: 'silent' }),
): Promise<TestInterpreter & TestCalls> {
  const services = await openTestServices(env);
  const { db, stores, config } = services.deps;
  const { id: alice } = await services.as('alice');
  const opened: Interpreter[] = [];
  const withLimits = (given: Partial<InterpreterLimits>) => {
    const interpreter = createInterpreter({ db, stores, config, log }, given, (chosen) =>
      findUsableFiles(db.query, chosen),
    );
    opened.push(interpreter);
    return callsOf(interpreter, alice);
  };
  const first = withLimits(limits);
  return {
    ...first,
    services,
    withLimits,
    async close() {
      await Promise.all(opened.map((one) => one.close()));
      await services.close();
    },
  };
}

function callsOf(interpreter: Interpreter, alice: string): TestCalls {
  async function tool({ userId = alice, convoId = randomUUID(), files = [], keys = [] }: Call = {}): Promise<Tool> {
    const chosen = { userId, convoId, files, keys: ['code_interpreter', ...keys] };
    const { tools } = await interpreter.tools(chosen);
    const [found] = tools;
    if (!found) throw new Error('The interpreter is not offered');
    return found;
  }

  async function run(code: string, call: Call = {}): Promise<Ran> {
    const { userId = alice, convoId = randomUUID(), signal = new AbortController().signal, onLog } = call;
    const found = await tool({ ...call, userId, convoId });
    const logs: string[] = [];
    const outcome = await found.run({
      userId,
      convoId,
      generationId: randomUUID(),
      callId: '0:0',
      args: { code },
      signal,
      report({ log = '' }) {
        logs.push(log);
        onLog?.(log);
      },
    });
    if (outcome.type === 'needs') throw new Error('Nobody is asked before code runs');
    return { type: outcome.type, text: outcome.text, outputs: outcome.outputs ?? [], logs };
  }

  return { interpreter, run, tool };
}

/** The ids of the kernels that this process has started and that are alive. */
export async function listKernels(): Promise<number[]> {
  const found: number[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const [command, status] = await Promise.all(
      ['cmdline', 'status'].map((file) => readFile(`/proc/${name}/${file}`, 'utf8').catch(() => '')),
    );
    const parent = Number(/^PPid:\s+(\d+)$/m.exec(status ?? '')?.[1]);
    if (parent === process.pid && command?.includes('kernel.mjs')) found.push(Number(name));
  }
  return found;
}
