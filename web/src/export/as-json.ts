import type { Message } from '@parley/schema/messages/messages';
import { exportedMessage } from './exported-message.ts';
import type { ExportOptions } from './formats.ts';
import { endpointOptions } from './endpoint-options.ts';
import { allBranches, type Transcript } from './transcript.ts';

type JsonChoices = Pick<ExportOptions, 'includeOptions' | 'exportBranches' | 'recursive'>;

/** The file in chunks: a long conversation may exceed the browser's longest string. */
export function asJson(transcript: Transcript, choices: JsonChoices): string[] {
  const { convo, exportAt } = transcript;
  const head = {
    conversationId: convo.conversationId,
    endpoint: convo.endpoint,
    title: convo.title,
    exportAt,
    branches: choices.exportBranches,
    recursive: choices.recursive,
    ...(choices.includeOptions && { options: endpointOptions(transcript) }),
  };
  const messages = choices.recursive ? treeOf(transcript, choices) : listOf(transcript, choices);
  const name = choices.recursive ? 'messagesTree' : 'messages';
  return [JSON.stringify(head).slice(0, -1), `,"${name}":[`, ...messages, ']}\n'];
}

function listOf(transcript: Transcript, { exportBranches }: JsonChoices): string[] {
  const messages = exportBranches ? allBranches(transcript.tree) : transcript.path;
  return messages.map(
    (message, index) => (index === 0 ? '' : ',') + JSON.stringify(exportedMessage(message, transcript)),
  );
}

/** Each message with its replies nested. Iterative, because a thread may be deeper than the call stack. */
function treeOf(transcript: Transcript, { exportBranches }: JsonChoices): string[] {
  const below = exportBranches ? (id: string | null) => transcript.tree.children.get(id) ?? [] : pathBelow(transcript);
  const pieces: string[] = [];
  const waiting: (Message | string)[] = withCommas(below(null));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') {
      pieces.push(next);
      continue;
    }
    pieces.push(JSON.stringify(exportedMessage(next, transcript)).slice(0, -1), ',"children":[');
    waiting.push(']}', ...withCommas(below(next.messageId)));
  }
  return pieces;
}

function pathBelow({ path }: Transcript): (id: string | null) => Message[] {
  const next = new Map<string | null, Message>(
    path.map((message, index) => [path[index - 1]?.messageId ?? null, message]),
  );
  return (id) => [next.get(id) ?? []].flat();
}

/** A stack of what remains to be written. */
function withCommas(messages: readonly Message[]): (Message | string)[] {
  return messages.flatMap((message, index) => (index === 0 ? [message] : [',', message])).reverse();
}
