/** A model that plans a research, looks up its steps, and writes the report from the notes. */
import { scriptedStream, textPieces, textSteps } from '../scenario.ts';
import type { Ask, Refusal, Scenario, Script, Step } from '../scenario.ts';
import { noTools, type ToolsInRequest } from './tools-in-request.ts';

/** Also within a line: what a search quotes of a page is one. */
const ORDER = /ORDER ([\w-]+) (\{[^{}]*\})/g;

export const researchScenarios = {
  research: {
    about:
      '`research:<options>`: JSON of a plan, a search and notes for each step, and a report. Options: `steps=<n>` of the plan, `more` for one more question, `obey` orders in results (`ORDER <tool> <JSON>`), `nothing` for steps without a result, `busy=<n>` refusals of each call (429), `slow` for steps that hang after their search, `slow-plan`, `slow-report`, `prose` for a plan that is no JSON, `late=<plan|report|words of a step>` for a part that hangs the first time',
    script: (ask) => {
      const options = optionsIn(ask.arg);
      const busy = Number(options.get('busy') ?? 0);
      if (ask.attempt < busy) return tooMany();
      const script = scriptFor(ask, options);
      return isLate(ask, options) ? hanging(script) : script;
    },
  },
} satisfies Record<string, Scenario>;

type Options = ReadonlyMap<string, string>;

function optionsIn(arg = ''): Options {
  return new Map(
    arg
      .split(',')
      .map((one) => one.split('='))
      .map(([name = '', value = '']) => [name, value]),
  );
}

function scriptFor({ question, arg = '', tools = noTools }: Ask, options: Options): Script {
  if (question.includes('make a plan')) return planned(arg, options);
  if (question.includes('Answer this one of them now')) return step(question, tools, options);
  if (question.includes('further questions')) return more(options);
  return report(question, options);
}

/** The parts that have hung. */
const hung = new Set<string>();

/** A part that hangs after its first words, once for each question of a person. */
function isLate({ question, arg = '' }: Ask, options: Options): boolean {
  const late = options.get('late');
  const isOne =
    late === 'plan'
      ? question.includes('make a plan')
      : late === 'report'
        ? question.includes('Write the report')
        : late !== undefined && asked(question).includes(late);
  const key = `${arg} ${/number \d+/.exec(question)?.[0] ?? ''}`;
  if (!isOne || hung.has(key)) return false;
  hung.add(key);
  return true;
}

function hanging(script: Script): Script {
  if (script.kind !== 'stream') return script;
  const steps = [...script.steps].filter(({ type }) => type === 'text');
  return { ...script, steps: [...steps.slice(0, 8), { type: 'hang' }] };
}

function asked(question: string): string {
  return /and no other: (.*)/.exec(question)?.[1] ?? '';
}

function planned(arg: string, options: Options): Script {
  if (options.has('slow-plan')) return scriptedStream([...textSteps('{"title": '), { type: 'hang' }]);
  if (options.has('prose')) return scriptedStream(textSteps('I would look it up in two places.'));
  const count = Number(options.get('steps') ?? 3);
  const steps = Array.from({ length: count }, (_, n) => ({ question: `What of part ${n + 1}?`, why: 'A figure' }));
  const plan = { title: 'On the parts', task: `A report on all parts [[research:${arg}]]`, steps };
  return scriptedStream(textSteps(`Here it is:\n\`\`\`json\n${JSON.stringify(plan)}\n\`\`\``));
}

function step(question: string, { steps, mayCall }: ToolsInRequest, options: Options): Script {
  const results = steps.flatMap(({ calls }) => calls);
  if (results.length === 0) return calling([{ name: 'web_search', input: JSON.stringify({ query: asked(question) }) }]);
  if (options.has('slow')) return scriptedStream([...textSteps('I am '), { type: 'hang' }]);
  const orders = options.has('obey')
    ? results.flatMap(({ output }) => [...output.matchAll(ORDER)].map(([, name = '', input = '']) => ({ name, input })))
    : [];
  const fresh = orders.slice(results.length - 1);
  if (fresh.length > 0 && mayCall) return calling(fresh);
  if (options.has('nothing')) return scriptedStream(textSteps('NOTHING FOUND'));
  const numbers = results.flatMap(({ output }) => [...output.matchAll(/^\[(\d+)\]/gm)].map(([, n]) => n));
  return scriptedStream(
    textSteps(`About "${asked(question)}" it is said that there are 42 of them [${numbers[0] ?? 1}].`),
  );
}

function more(options: Options): Script {
  const steps = options.has('more') ? [{ question: 'What else of the parts?', why: '' }] : [];
  return scriptedStream(textSteps(JSON.stringify({ steps })));
}

function report(question: string, options: Options): Script {
  const notes = [...question.matchAll(/^(?:About|- ).*\[\d+\]\.?$/gm)].map(([line]) => line);
  const lines = ['# On the parts', ...notes, 'Nobody has ever said where this last sentence comes from.'];
  const text = textSteps(lines.join('\n\n'));
  return options.has('slow-report') ? scriptedStream([...text, { type: 'hang' }]) : scriptedStream(text);
}

function calling(wanted: readonly { name: string; input: string }[]): Script {
  const steps = wanted.map(({ name, input }, index): Step => {
    return { type: 'tool', call: { index, id: `call_${index}`, name, pieces: textPieces(input) } };
  });
  return scriptedStream(steps, { finish: 'tool_calls' });
}

function tooMany(): Refusal {
  const message = 'Rate limit reached.';
  return { kind: 'refusal', status: 429, type: 'requests', code: 'rate_limit_exceeded', message, headers: {} };
}
