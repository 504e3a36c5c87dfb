/** Scenarios of a model that calls tools. Each request with the same question is its next step. */
import { piecesOf, say, speech } from '../scenario.ts';
import type { Scenario, Speech } from '../scenario.ts';

export const loopScenarios = {
  calculate: {
    about: '`calculate:<expression>;<expression>…`: one step for each, in which `+++` joins parallel calls; then text',
    script: ({ arg = '6 * 7', attempt }) => {
      const step = arg.split(';')[attempt];
      return step === undefined ? speech(say('That is the result.')) : calling('calculator', inputsOf(step));
    },
  },
  'call-tool': {
    about:
      '`call-tool:<name> <arguments> => <text>`: one call with these arguments, then this text (`#2` for the mark 2), or another one',
    script: ({ arg = 'nothing {}', attempt }) => {
      const [call = '', text = 'That was it.'] = arg.split(' => ');
      const [name = '', ...input] = call.split(' ');
      return attempt > 0 ? speech(say(text.replaceAll(/#(\d+)/g, '[$1]'))) : calling(name, [input.join(' ')]);
    },
  },
  'call-forever': {
    about: '`call-forever:<name>`: another call in every step',
    script: ({ arg = 'calculator', attempt }) => calling(arg, [JSON.stringify({ input: `${attempt} + 1` })]),
  },
} satisfies Record<string, Scenario>;

function inputsOf(step: string): string[] {
  return step.split('+++').map((expression) => JSON.stringify({ input: expression.trim() }));
}

function calling(name: string, inputs: readonly string[]): Speech {
  const calls = inputs.map((input, index) => ({ index, id: `call_${index}`, name, pieces: piecesOf(input) }));
  const steps = calls.map((call) => ({ type: 'tool' as const, call }));
  return speech([...say('Let me see. '), ...steps], { finish: 'tool_calls', pace: { every: 1, count: 8 } });
}
