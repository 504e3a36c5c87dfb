// Tools and model answers for tests of what calls them.
import type { ToolCall } from '@parley/schema/messages/messages';
import { defaultAgentLimits, type Agent, type AgentLimits, type ModelStep } from '@parley/server/agents/agent';
import { runAgent } from '@parley/server/agents/loop';
import type { Delta } from '@parley/server/generation/delta';
import type { Tool, ToolRun, ToolSource } from '@parley/server/tools/tool';

/** What a model says when it is asked for the nth time. */
export type Script = (step: ModelStep, nth: number, signal: AbortSignal) => AsyncIterable<Delta> | Delta[];

export interface Played {
  deltas: Delta[];
  /** What the model was asked, in order. */
  asked: ModelStep[];
  /** By id, as they ended. */
  calls: Map<string, ToolCall>;
}

/** Runs the loop around a scripted model, with other parts of it replaced by `over`. */
export async function play(
  script: Script,
  tools: readonly Tool[],
  over: Partial<Omit<Agent, 'limits'>> & { limits?: Partial<AgentLimits> } = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Played> {
  const played: Played = { deltas: [], asked: [], calls: new Map() };
  for await (const delta of runAgent(createAgent(script, tools, played.asked, over), signal)) {
    played.deltas.push(delta);
    keepCall(delta, played.calls);
  }
  return played;
}

/** The agent of `play`, whose model calls are noted in `asked`. */
export function createAgent(
  script: Script,
  tools: readonly Tool[],
  asked: ModelStep[],
  { limits, ...over }: Partial<Omit<Agent, 'limits'>> & { limits?: Partial<AgentLimits> } = {},
): Agent {
  return {
    userId: 'user',
    convoId: 'convo',
    generationId: 'generation',
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    problems: [],
    messages: [{ role: 'user', content: 'Question' }],
    firstStep: 0,
    open: null,
    async *ask(step, until) {
      asked.push(step);
      yield* script(step, asked.length - 1, until);
    },
    finish: async ({ id, name, input, output, state }) => ({
      id,
      name,
      input,
      output: output ?? '',
      isError: state !== 'done',
    }),
    flush: async () => true,
    cannotAsk: false,
    isGranted: async () => false,
    grant: async () => undefined,
    countCall: async () => null,
    onFault: () => undefined,
    onServiceFailure: () => undefined,
    ...over,
    limits: { ...defaultAgentLimits, stopMs: 50, ...limits },
  };
}

/** Keeps each call as its deltas leave it. */
export function keepCall(delta: Delta, calls: Map<string, ToolCall>): void {
  if (delta.type === 'tool') calls.set(delta.call.id, delta.call);
  if (delta.type !== 'input') return;
  const call = calls.get(delta.id);
  if (call) calls.set(delta.id, { ...call, input: call.input + delta.text });
}

/** A step with these calls, whose arguments come in pieces. */
export function calling(...calls: [name: string, input: string][]): Delta[] {
  return [
    { type: 'text', text: 'Let me see.' },
    ...calls.flatMap(([name, input], n): Delta[] => [
      { type: 'tool', call: { id: `call-${n}`, kind: 'function', name, input: '', output: null, progress: 0.1 } },
      { type: 'input', id: `call-${n}`, text: input.slice(0, 3) },
      { type: 'input', id: `call-${n}`, text: input.slice(3) },
    ]),
    { type: 'usage', input: 10, output: 5 },
    { type: 'finish', reason: 'tool_calls' },
  ];
}

/** An answer in words. */
export function saying(text: string): Delta[] {
  return [
    { type: 'text', text },
    { type: 'usage', input: 20, output: 3 },
    { type: 'finish', reason: 'stop' },
  ];
}

/** A tool that answers with its input, unless `over` changes it. */
export function createTool(name: string, over: Partial<Tool> = {}): Tool {
  return {
    name,
    description: `The tool ${name}`,
    parameters: { type: 'object', properties: { input: { type: 'string' } } },
    kind: 'function',
    from: { source: 'plugin', id: name, label: name },
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: 10_000, outputChars: 1000 },
    run: async ({ args }) => ({ type: 'done', text: `${name} says ${String(args.input)}` }),
    ...over,
  };
}

/** A source with these tools, each chosen by its name. */
export function sourceOf(...tools: Tool[]): ToolSource {
  return {
    name: 'plugin',
    tools: async ({ keys }) => ({ tools: tools.filter(({ name }) => keys.includes(name)), problems: [] }),
    list: async () => tools.map(({ name, from, description }) => ({ key: name, from, description, unavailable: null })),
  };
}

/** A tool run that ends when it is let go, or stopped. */
export function createGate(): {
  run(call: ToolRun): Promise<{ type: 'done'; text: string }>;
  open(): void;
  begun: Promise<void>;
  isStopped(): boolean;
} {
  let open = (): void => undefined;
  let begin = (): void => undefined;
  let isStopped = false;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const begun = new Promise<void>((resolve) => (begin = resolve));
  return {
    async run({ signal }) {
      begin();
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          isStopped = true;
          reject(new Error('stopped'));
        });
      });
      await Promise.race([opened, stopped]);
      return { type: 'done', text: 'let go' };
    },
    open: () => open(),
    begun,
    isStopped: () => isStopped,
  };
}
