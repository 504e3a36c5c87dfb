// Versions that a model makes by calling a tool. A call that makes a whole one holds it in its arguments; what one that
// edits makes is its output, so that every answer has all of its versions, whatever becomes of the answers before it.
import { cleanText } from '../clean-text.ts';
import { isObject, parseJson } from '../json.ts';
import type { ToolCall } from '../messages/messages.ts';
import { isKind, LANGUAGES, writeFenceInfo } from './artifact-kind.ts';

/** The tool as conversations choose it. */
export const ARTIFACT_TOOL = 'artifact';

/** An artifact as a block of code would hold it. */
export interface ArtifactBlock {
  /** The words behind its opening fence. */
  info: string;
  source: string;
}

export function isArtifactCall({ from }: Pick<ToolCall, 'from'>): boolean {
  return from?.source === 'builtin' && from.id === ARTIFACT_TOOL;
}

/** What a call of the tool made; null for any other call, and for one that made nothing. */
export function blockOfCall(call: ToolCall): ArtifactBlock | null {
  const { state, outputs, input } = call;
  if (state !== 'done' || !isArtifactCall(call)) return null;
  const made = outputs?.find((output) => output.type === 'artifact');
  if (made) return made;
  const args = parseJson(input);
  return isObject(args) ? wholeBlock(args) : null;
}

/** The artifact that arguments hold; null where they hold none. */
export function wholeBlock({ id, title, kind, text }: Record<string, unknown>): ArtifactBlock | null {
  if (typeof id !== 'string' || !isKind(kind) || typeof text !== 'string') return null;
  const info = writeFenceInfo({ language: LANGUAGES[kind], id, title: typeof title === 'string' ? title : null });
  return { info, source: sourceText(text).replace(/\n$/, '') };
}

/** A text as blocks of code hold it. */
export function sourceText(text: string): string {
  return cleanText(text.replaceAll(/\r\n?/g, '\n'));
}
