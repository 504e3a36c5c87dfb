// Tests of this room: tests/unit/schema/artifacts.

// A version that a person makes is one more block of code in the answer: so the model, exports and shares have it, too.
import type { ArtifactBlock } from './artifact-call.ts';
import { EDITED, writeFenceInfo } from './artifact-kind.ts';
import { findArtifacts, type Artifact } from './find-artifacts.ts';

/**
 * The text of an answer with a further version of an artifact of it.
 * Null where the block would be no version of it: it is not of its kind any more, or the answer ends within a block.
 */
export function addVersion(
  text: string,
  { id, kind, title, language }: Pick<Artifact, 'id' | 'kind' | 'title' | 'language'>,
  source: string,
): string | null {
  const name = id.slice(kind.length + 1);
  const block = writeBlock({ info: `${writeFenceInfo({ language, id: name, title })} ${EDITED}`, source });
  const next = `${text.trimEnd()}\n\n${block}\n`;
  const last = findArtifacts([next]).at(-1);
  const isVersion = last?.id === id && last.source === source && last.isEdited;
  return isVersion ? next : null;
}

/** A block of code as Markdown. */
export function writeBlock({ info, source }: ArtifactBlock): string {
  const marks = marksAround(`${info}\n${source}`);
  return `${marks}${info}\n${source}\n${marks}`;
}

/** Longer than any in the block; no backticks where the words behind the fence have some. */
function marksAround(block: string): string {
  const mark = block.includes('`') ? '~' : '`';
  let marks = mark.repeat(3);
  while (block.includes(marks)) marks += mark;
  return marks;
}
