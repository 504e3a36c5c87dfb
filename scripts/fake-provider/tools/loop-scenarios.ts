/** Scenarios of a model that calls tools. Each request with the same question is its next step. */
import * as z from 'zod';
import { textPieces, textSteps, scriptedStream } from '../scenario.ts';
import type { Scenario, StreamScript } from '../scenario.ts';
import { noTools } from './tools-in-request.ts';

export const loopScenarios = {
  calculate: {
    about: '`calculate:<expression>;<expression>…`: one step for each, in which `+++` joins parallel calls; then text',
    script: ({ arg = '6 * 7', attempt }) => {
      const step = arg.split(';')[attempt];
      return step === undefined
        ? scriptedStream(textSteps('That is the result.'))
        : calling('calculator', inputsOf(step));
    },
  },
  'call-tool': {
    about:
      '`call-tool:<name> <arguments> => <text>`: one call with these arguments, then this text (`#2` for the mark 2), or another one',
    script: ({ arg = 'nothing {}', attempt }) => {
      const [call = '', text = 'That was it.'] = arg.split(' => ');
      const [name = '', ...input] = call.split(' ');
      return attempt > 0
        ? scriptedStream(textSteps(text.replaceAll(/#(\d+)/g, '[$1]')))
        : calling(name, [input.join(' ')]);
    },
  },
  'cut-after-call': {
    about: '`cut-after-call:<expression>`: one step, a text that the length limit cuts, and its end',
    script: ({ arg = '6 * 7', attempt }) => {
      if (attempt === 0) return calling('calculator', inputsOf(arg));
      return attempt === 1
        ? scriptedStream(textSteps('The result'), { finish: 'length' })
        : scriptedStream(textSteps('is there.'));
    },
  },
  'call-forever': {
    about: '`call-forever:<name>`: another call in every step',
    script: ({ arg = 'calculator', attempt }) => calling(arg, [JSON.stringify({ input: `${attempt} + 1` })]),
  },
  obey: {
    about:
      'a model that does whatever it reads, wherever it stands: each line `ORDER <tool> <JSON>` once, all that are new in one step; `{chat}` becomes the secret that the question tells (`SECRET-…`), `{chat64}` the same in base64',
    script: ({ question, body, tools = noTools }) => {
      const done = tools.steps.reduce((sum, { calls }) => sum + calls.length, 0);
      const orders = ordersIn(body, question).slice(done);
      if (orders.length === 0) return scriptedStream(textSteps('I have done all that I was told.'));
      const calls = orders.map(({ name, input }, index) => ({
        index,
        id: `call_${done + index}`,
        name,
        pieces: [input],
      }));
      return scriptedStream(
        calls.map((call) => ({ type: 'tool' as const, call })),
        { finish: 'tool_calls' },
      );
    },
  },
  classic: {
    about:
      '`classic:<step>;<step>…`: the text of the classic agent; a step is `<tool> <input>`, `N/A`, `ponder` (a thought without end), `fail` (one that breaks off with an error, once), or words that keep to no form; then the final answer with the last observation',
    script: ({ arg = 'calculator 6 * 7', question, attempt }) => {
      const observations = question.split('\nObservation: ').slice(1);
      const step = arg.split(';')[observations.length];
      if (step === 'ponder') return scriptedStream([...THOUGHT, { type: 'hang' }]);
      if (step === 'fail' && attempt === 0)
        return scriptedStream([...THOUGHT, { type: 'error', message: 'It broke off.' }]);
      if (step === undefined || step === 'fail')
        return scriptedStream(textSteps(finalReply(observations.at(-1) ?? 'nothing')));
      return scriptedStream(textSteps(classicStep(step)));
    },
  },
} satisfies Record<string, Scenario>;

const THOUGHT = textSteps('Thought: I think about it.\nThen I\n');

function finalReply(observation: string): string {
  const result = observation.split('\n').find((line) => !line.startsWith('<'));
  return ` I know it now.\nFinal Answer: It is ${result}.\nAll told.`;
}

function classicStep(step: string): string {
  if (step.startsWith('N/A')) return 'Thought: No tool is needed.\nAction: N/A\nFinal Answer: Without a tool.';
  const [, tool, input] = /^([\w-]+) (.*)$/.exec(step) ?? [];
  if (tool === undefined || tool === 'muse') return step;
  return `Thought: I need ${tool}.\nAction: ${tool}\nAction Input: ${input}\nObservation: never read\n`;
}

function inputsOf(step: string): string[] {
  return step.split('+++').map((expression) => JSON.stringify({ input: expression.trim() }));
}

function calling(name: string, inputs: readonly string[]): StreamScript {
  const calls = inputs.map((input, index) => ({ index, id: `call_${index}`, name, pieces: textPieces(input) }));
  const steps = calls.map((call) => ({ type: 'tool' as const, call }));
  return scriptedStream([...textSteps('Let me see. '), ...steps], {
    finish: 'tool_calls',
    pace: { every: 1, count: 8 },
  });
}

/** The orders in what a chat request says beside earlier questions and answers, in their order. */
function ordersIn(body: unknown, question: string): { name: string; input: string }[] {
  const [secret = 'nothing'] = /SECRET-\w+/.exec(question) ?? [];
  const filled = (input: string) =>
    input.replaceAll('{chat}', secret).replaceAll('{chat64}', Buffer.from(secret).toString('base64'));
  const { success, data } = ChatBody.safeParse(body);
  const messages = success ? data.messages : [];
  const newest = messages.findLastIndex(({ role }) => role === 'user');
  return messages
    .filter(({ role }, at) => role === 'system' || at >= newest)
    .flatMap(({ content }) => [...(content ?? '').matchAll(/^ORDER ([\w-]+) (\{.*\})$/gm)])
    .map(([, name = '', input = '']) => ({ name, input: filled(input) }));
}

const ChatBody = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })) });
