import { isArtifactCall } from '@parley/schema/artifacts/artifact-call';
import type { ArtifactKind } from '@parley/schema/artifacts/artifact-kind';
import type { Message } from '@parley/schema/messages/messages';

/** Whether there is anything in it that runs. */
export function hasProgram(kind: ArtifactKind, source: string): boolean {
  if (kind === 'react') return true;
  return (kind === 'html' || kind === 'svg') && /<script|\son[a-z]+=/i.test(source);
}

/**
 * Whether an answer may say what strangers want it to: it was not made here, or something foreign was shown before it,
 * such as results of tools, files or passages. `branch` is all up to the answer; undefined where a message is not loaded.
 */
export function isForeign(branch: readonly (Message | undefined)[]): boolean {
  const last = branch.at(-1);
  if (!last || last.generationId === null) return true;
  return branch.some(
    (message) => !message || message.endpointType === 'assistants' || message.parts.some(isFromElsewhere),
  );
}

/** What the model made by a call is its own, as its words are. */
function isFromElsewhere(part: Message['parts'][number]): boolean {
  if (part.type === 'tool_call' && isArtifactCall(part.call)) return false;
  return part.type !== 'text' ? part.type !== 'reasoning' && part.type !== 'error' : (part.citations ?? []).length > 0;
}
