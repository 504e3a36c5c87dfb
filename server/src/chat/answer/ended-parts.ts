// The parts of a reply that has ended, as they are saved.
import type { Message, MessagePart } from '@parley/schema/messages/messages';
import { settleCalls } from '../../agents/settle-calls.ts';
import type { CitablePassage } from '../../generation/delta.ts';
import { withCitations } from '../../retrieval/cite.ts';
import { withGeneratedFiles } from './generated-files.ts';

/** With their calls settled, the paths of generated files, and citations. */
export function endedParts(
  { parts, reason, finishReason }: Message,
  passages: readonly CitablePassage[],
): MessagePart[] {
  const isStopped = reason === null && finishReason === 'incomplete';
  return withCitations(withGeneratedFiles(settleCalls(parts, isStopped ? 'stopped' : 'ended')), passages);
}
