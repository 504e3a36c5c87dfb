// The parts of a reply that has ended, as they are saved.
import type { Message, MessagePart } from '@parley/schema/messages/messages';
import { settleCalls } from '../../agents/settle-calls.ts';
import type { CitablePassage } from '../../generation/delta.ts';
import { withCitations } from '../../retrieval/cite.ts';
import { withGeneratedFiles } from './generated-files.ts';
import { withOneSourceList } from './one-source-list.ts';

/** With their calls settled, the paths of generated files, one list of searched pages, and citations. */
export function endedParts(
  { parts, reason, finishReason }: Message,
  passages: readonly CitablePassage[],
): MessagePart[] {
  if (passages.length === 0 && parts.every(({ type }) => type === 'text' || type === 'reasoning')) return parts;
  const isStopped = reason === null && finishReason === 'incomplete';
  const settled = withGeneratedFiles(settleCalls(parts, isStopped ? 'stopped' : 'ended'));
  return withCitations(withOneSourceList(settled, passages), passages);
}
