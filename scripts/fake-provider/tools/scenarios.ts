/** Scenarios that call the tools of a request, in steps, and answer from what the tools said. */
import { asFields } from '@parley/schema/json';
import { numberFrom, textPieces, textSteps, scriptedStream } from '../scenario.ts';
import type { Ask, Refusal, Scenario, Script, Step } from '../scenario.ts';
import { noTools, type GivenStep, type OfferedTool, type ToolsInRequest } from './tools-in-request.ts';
import { anyCall, callsIn, type Wanted } from './calls-in.ts';

export const toolScenarios = {
  'tool-steps': {
    about: 'one step for each line `call <tool> <JSON>` of the question, then an answer that quotes the results',
    script: byPlan((question, offered) => withDefault(callsIn(question, offered), offered)),
  },
  'tool-parallel': {
    about: 'all calls of the question in one step, three at least',
    script: byPlan((question, offered) => [three(withDefault(callsIn(question, offered), offered).flat())]),
  },
  'tool-bad-json': {
    about: 'arguments that are no JSON, then the same call as it should be',
    script: byPlan((question, offered) => {
      const [call = { name: 'none', input: '{}' }] = withDefault(callsIn(question, offered), offered).flat();
      return [[{ ...call, input: `${call.input.slice(0, -1)},` }], [call]];
    }),
  },
  'tool-endless': {
    about: 'another call in every step; words only where the request forbids calls',
    script: byPlan((question, offered, steps) => {
      const wanted = withDefault(callsIn(question, offered), offered);
      return [...steps.map(() => []), wanted[steps.length % wanted.length] ?? []];
    }),
  },
  'tool-signed': {
    about: 'as tool-steps with signed reasoning; 400 without them, or with `tool-signed:lenient` only for wrong ones',
    script: signedSteps,
  },
  'tool-long-arguments': {
    about: 'one call with 20,000 characters, or `tool-long-arguments:<characters>`, in pieces of four',
    script: (ask) => play(ask, [[longCall(ask, numberFrom(ask.arg, 20_000))]], { size: 4 }),
  },
  'tool-unfinished': {
    about:
      'as tool-steps, but silent for ever in the middle of the arguments (where the protocol marks no end of a call)',
    script: ({ question, tools = noTools }) => {
      const [{ name, input } = { name: 'echo', input: '{}' }] = callsIn(question, tools.offered)[0] ?? [];
      const pieces = cut(input.slice(0, Math.ceil(input.length / 2)), 5);
      return scriptedStream([
        { type: 'tool', call: { index: 0, id: 'call_0_0_fake', name, pieces } },
        { type: 'hang' },
      ]);
    },
  },
  'no-tools': {
    about:
      'a model that takes no tools, as Ollama refuses them, or `no-tools:500` as llama.cpp does; words where none are offered',
    script: ({ tools = noTools, arg }) => {
      if (tools.offered.length === 0) return scriptedStream(textSteps('I have no tools.'));
      return arg === '500' ? refusing(NO_JINJA, 500) : refusing(NO_TOOLS);
    },
  },
  'refuse-tool': {
    about:
      '`refuse-tool:<names, with + between>`: 400 as long as one of these tools is offered, a long sentence for each; then as tool-steps',
    script: (ask) => {
      const { offered } = ask.tools ?? noTools;
      const names = (ask.arg ?? '').split('+').filter((one) => offered.some(({ name }) => name === one));
      const about = ' In context=(), the schema is not valid under any of the given schemas.'.repeat(3);
      return names.length > 0
        ? refusing(names.map((name) => `Invalid schema for function '${name}':${about}`).join(' '))
        : play(ask, callsIn(ask.question, offered));
    },
  },
  'tool-unknown': {
    about: 'a call of a tool that is not there',
    script: byPlan(() => [[{ name: 'no_such_tool', input: '{"input":"x"}' }]]),
  },
} satisfies Record<string, Scenario>;

/** What the model wants to call: a list of calls for each step, those that are over included. */
type Plan = (question: string, offered: OfferedTool[], steps: GivenStep[]) => Wanted[][];

type PlayOptions = { size?: number; signature?: string };

function byPlan(plan: Plan): Scenario['script'] {
  return (ask) => {
    const { offered, steps } = ask.tools ?? noTools;
    return play(ask, plan(ask.question, offered, steps));
  };
}

/** The next step of the plan, or words after the last one. */
function play({ tools = noTools }: Ask, plan: Wanted[][], { size = 5, signature }: PlayOptions = {}): Script {
  const planned = tools.mayCall ? (plan[tools.steps.length] ?? []) : [];
  const next = tools.isSingle ? planned.slice(0, 1) : planned;
  if (next.length === 0) return scriptedStream(textSteps(replyFrom(tools)));
  const calls = next.map(({ name, input }, index): Step => {
    const id = `call_${tools.steps.length}_${index}_fake`;
    return { type: 'tool', call: { index, id, name, pieces: cut(input, size) } };
  });
  return scriptedStream(
    signature === undefined ? calls : [...reasoningSteps(), { type: 'signature', data: signature }, ...calls],
    {
      finish: 'tool_calls',
    },
  );
}

/** Quotes all results, one line each. */
function replyFrom({ steps }: ToolsInRequest): string {
  const lines = steps.flatMap(({ calls }) =>
    calls.map(({ name, output, isError, images }) =>
      [`- ${name}${isError ? ' failed' : ''}: ${output}`, ...images].join('\n'),
    ),
  );
  return lines.length === 0 ? 'I called no tools.' : `The tools say:\n${lines.join('\n')}`;
}

function signedSteps(ask: Ask): Script {
  const { offered, steps } = ask.tools ?? noTools;
  const isLenient = ask.arg === 'lenient';
  const isRight = ({ signatures, isUnsigned }: GivenStep, index: number) =>
    isUnsigned ? isLenient : signatures.length === 1 && signatures[0] === stepSignature(index);
  if (!steps.every(isRight)) return refusedSignature;
  return play(ask, withDefault(callsIn(ask.question, offered), offered), { signature: stepSignature(steps.length) });
}

/** What the provider signs in a step. */
function stepSignature(step: number): string {
  return Buffer.from(`signed in step ${step} +/?`).toString('base64');
}

/** Each protocol writes it in its own words. */
export const BAD_SIGNATURE = 'bad_signature';

const refusedSignature: Refusal = {
  kind: 'refusal',
  status: 400,
  type: 'invalid_request_error',
  code: BAD_SIGNATURE,
  message: 'The `reasoning_content` in the thinking mode must be passed back to the API.',
  headers: {},
};

const NO_TOOLS = 'registry.ollama.ai/library/llama3:latest does not support tools';
const NO_JINJA = 'tools param requires --jinja flag';

function refusing(message: string, status = 400): Refusal {
  return { kind: 'refusal', status, type: 'invalid_request_error', code: null, message, headers: {} };
}

function reasoningSteps(): Step[] {
  return textPieces('A tool will know.').map((text) => ({ type: 'reasoning', text }));
}

function withDefault(wanted: Wanted[][], offered: readonly OfferedTool[]): Wanted[][] {
  return wanted.length > 0 ? wanted : [anyCall(offered)];
}

function three(calls: Wanted[]): Wanted[] {
  const [first] = calls;
  return first ? [...calls, ...Array.from({ length: Math.max(0, 3 - calls.length) }, () => first)] : [];
}

/** The first text among the arguments, repeated up to this length. */
function longCall({ question, tools = noTools }: Ask, length: number): Wanted {
  const [call = { name: 'none', input: '{}' }] = withDefault(callsIn(question, tools.offered), tools.offered).flat();
  const args = Object.entries(asFields(JSON.parse(call.input)));
  const [name, text] = args.find(([, value]) => typeof value === 'string' && value !== '') ?? ['input', 'x'];
  const long = String(text).repeat(length).slice(0, length);
  return { ...call, input: JSON.stringify({ ...Object.fromEntries(args), [name]: long }) };
}

function cut(text: string, size: number): string[] {
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, n) => text.slice(n * size, (n + 1) * size));
}
