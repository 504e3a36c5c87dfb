import { evaluate, EXPRESSION_MAX } from '../../tools/calculate.ts';
import type { CreatePluginTools } from '../plugin-tool.ts';

export const createCalculatorTools: CreatePluginTools = () => [
  {
    name: 'calculator',
    description:
      'Computes an expression exactly, such as "2 * (3 + 4)^2", "sqrt(2)", "12.7 cm to inch" or "det([1, 2; 3, 4])".',
    parameters: {
      type: 'object',
      properties: { input: { type: 'string', description: 'The expression.', maxLength: EXPRESSION_MAX } },
      required: ['input'],
    },
    isRepeatable: true,
    run: ({ args, signal }) => evaluate(String(args.input), signal),
  },
];
