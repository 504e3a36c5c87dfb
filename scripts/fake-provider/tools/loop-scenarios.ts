/** Scenarios of a model that calls tools. Each request with the same question is its next step. */
import { piecesOf, textSteps, streamOf } from '../scenario.ts';
import type { Scenario, StreamScript } from '../scenario.ts';

export const loopScenarios = {
  calculate: {
    about: '`calculate:<expression>;<expression>…`: one step for each, in which `+++` joins parallel calls; then text',
    script: ({ arg = '6 * 7', attempt }) => {
      const step = arg.split(';')[attempt];
      return step === undefined ? streamOf(textSteps('That is the result.')) : calling('calculator', inputsOf(step));
    },
  },
  'call-tool': {
    about:
      '`call-tool:<name> <arguments> => <text>`: one call with these arguments, then this text (`#2` for the mark 2), or another one',
    script: ({ arg = 'nothing {}', attempt }) => {
      const [call = '', text = 'That was it.'] = arg.split(' => ');
      const [name = '', ...input] = call.split(' ');
      return attempt > 0 ? streamOf(textSteps(text.replaceAll(/#(\d+)/g, '[$1]'))) : calling(name, [input.join(' ')]);
    },
  },
  'cut-after-call': {
    about: '`cut-after-call:<expression>`: one step, a text that the length limit cuts, and its end',
    script: ({ arg = '6 * 7', attempt }) => {
      if (attempt === 0) return calling('calculator', inputsOf(arg));
      return attempt === 1 ? streamOf(textSteps('The result'), { finish: 'length' }) : streamOf(textSteps('is there.'));
    },
  },
  'call-forever': {
    about: '`call-forever:<name>`: another call in every step',
    script: ({ arg = 'calculator', attempt }) => calling(arg, [JSON.stringify({ input: `${attempt} + 1` })]),
  },
  classic: {
    about:
      '`classic:<step>;<step>…`: the text of the classic agent; a step is `<tool> <input>`, `N/A`, `ponder` (a thought without end), `fail` (one that breaks off with an error, once), or words that keep to no form; then the final answer with the last observation',
    script: ({ arg = 'calculator 6 * 7', question, attempt }) => {
      const observations = question.split('\nObservation: ').slice(1);
      const step = arg.split(';')[observations.length];
      if (step === 'ponder') return streamOf([...THOUGHT, { type: 'hang' }]);
      if (step === 'fail' && attempt === 0) return streamOf([...THOUGHT, { type: 'error', message: 'It broke off.' }]);
      if (step === undefined || step === 'fail')
        return streamOf(textSteps(finalAnswer(observations.at(-1) ?? 'nothing')));
      return streamOf(textSteps(classicStep(step)));
    },
  },
} satisfies Record<string, Scenario>;

const THOUGHT = textSteps('Thought: I think about it.\nThen I\n');

function finalAnswer(observation: string): string {
  const result = observation.split('\n').find((line) => !line.startsWith('<'));
  return ` I know it now.\nFinal Answer: It is ${result}.\nAll told.`;
}

function classicStep(step: string): string {
  if (step.startsWith('N/A')) return 'Thought: No tool is needed.\nAction: N/A\nFinal Answer: Without a tool.';
  const [, tool, input] = /^(\w+) (.*)$/.exec(step) ?? [];
  if (tool === undefined || tool === 'muse') return step;
  return `Thought: I need ${tool}.\nAction: ${tool}\nAction Input: ${input}\nObservation: never read\n`;
}

function inputsOf(step: string): string[] {
  return step.split('+++').map((expression) => JSON.stringify({ input: expression.trim() }));
}

function calling(name: string, inputs: readonly string[]): StreamScript {
  const calls = inputs.map((input, index) => ({ index, id: `call_${index}`, name, pieces: piecesOf(input) }));
  const steps = calls.map((call) => ({ type: 'tool' as const, call }));
  return streamOf([...textSteps('Let me see. '), ...steps], { finish: 'tool_calls', pace: { every: 1, count: 8 } });
}
