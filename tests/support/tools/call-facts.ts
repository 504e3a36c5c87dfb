import type { LoopCallFacts, ToolCall, ToolState } from '@parley/schema/messages/messages';

/** What a test says of a call, in whatever state. */
export interface CallFacts extends Partial<LoopCallFacts> {
  state?: ToolState;
  needs?: 'approval' | 'sign_in';
  does?: string;
  isAskedEachTime?: boolean;
  signInUrl?: string;
}

/** Which of the kinds of calls it is follows from what is said. */
export function callFromFacts(
  facts: CallFacts & Pick<ToolCall, 'id' | 'kind' | 'name' | 'input' | 'output' | 'progress'>,
) {
  return facts as ToolCall;
}
