// Runs nothing: the model plays the terminal.
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { definePlugin } from '../define-plugin.ts';

export const codeBrew = definePlugin({
  key: 'CodeBrew',
  name: 'CodeBrew',
  description: 'Plays a terminal: the model tells what a program would print. Nothing is run.',
  fields: [],
  isForAssistants: false,
  tools: () => [
    {
      name: 'CodeBrew',
      description:
        'A place to think through code. Pass the code together with what it would print, as a terminal would show it: the ' +
        'text comes back unchanged, nothing is run. Then tell the output in a code block and say that it is imagined.',
      parameters: argumentsSchema({
        input: { type: 'string', description: 'The code and its output.', maxLength: 20_000 },
      }),
      isRepeatable: true,
      run: ({ args }) => Promise.resolve(String(args.input)),
    },
  ],
});
