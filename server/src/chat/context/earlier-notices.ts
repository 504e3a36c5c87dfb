// Notices of replies about tools that cannot be offered: each is shown once in a line of messages.
import type { Message } from '@parley/schema/messages/messages';
import type { ToolProblem } from '../../tools/tool.ts';

/** Limits how many messages above a reply are read. */
const MESSAGES_MAX = 200;

type Rows = AsyncIterable<Pick<Message, 'parts' | 'isCreatedByUser'>>;

/** Leaves out the problems that a reply above has told. Reads nothing where there are none. */
export async function withoutReported(problems: readonly ToolProblem[], rowsAbove: () => Rows): Promise<ToolProblem[]> {
  if (problems.length === 0) return [];
  const shown = new Set<string>();
  let read = 0;
  for await (const { parts, isCreatedByUser } of rowsAbove()) {
    if (!isCreatedByUser)
      for (const part of parts)
        if (part.type === 'tool_call' && part.call.state === 'failed' && part.call.from)
          shown.add(keyOf({ from: part.call.from, text: part.call.output ?? '' }));
    if (++read >= MESSAGES_MAX) break;
  }
  return problems.filter((problem) => !shown.has(keyOf(problem)));
}

function keyOf({ from, text }: ToolProblem): string {
  return JSON.stringify([from.source, from.id, text]);
}
