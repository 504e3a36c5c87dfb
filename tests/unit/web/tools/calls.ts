// Tool calls as the tests of the interface need them.
import type { ToolCall } from '@parley/schema/messages/messages';
import { callFromFacts, type CallFacts } from '../../../support/tools/call-facts.ts';

export function call(rest: CallFacts = {}): ToolCall {
  return callFromFacts({
    id: '0:0',
    kind: 'function',
    name: 'calculator',
    input: '{"expression":"2+2"}',
    output: '4',
    progress: 1,
    state: 'done',
    ...rest,
  });
}
