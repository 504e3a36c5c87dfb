// What the browser checks before it uploads, in the order of the sentences that people know.
import { MEGABYTE, type FileLimits } from '@parley/schema/files/file-limits';
import type { FileProblem } from '@parley/schema/files/file-problem';
import { problemOfType } from '@parley/schema/files/file-types';

/** A file by what is known before it is read. */
export interface FileFacts {
  name: string;
  mime: string;
  bytes: number;
}

/** A file and the type that its bytes show. */
export interface TypedFile<F> {
  file: F;
  mime: string;
}

export interface CheckedFiles<F> {
  accepted: TypedFile<F>[];
  problems: RefusedFiles[];
}

/** Why files are refused, and their names where the sentence does not say them. */
export interface RefusedFiles {
  problem: FileProblem;
  names: string[];
}

/**
 * Divides the chosen files into those that may join the ones in `present` and the reasons why others may not. Too many
 * files at once are refused together, because nobody can tell which of them matter.
 */
export function checkFiles<F extends Pick<File, 'name' | 'size'>>(
  chosen: readonly TypedFile<F>[],
  present: readonly FileFacts[],
  limits: FileLimits,
): CheckedFiles<F> {
  const accepted: TypedFile<F>[] = [];
  if (chosen.length + present.length > limits.files)
    return {
      accepted,
      problems: [{ problem: { type: 'too_many', most: limits.files }, names: chosen.map(({ file }) => file.name) }],
    };
  const problems: RefusedFiles[] = [];
  const known = [...present];
  for (const { file, mime } of chosen) {
    const problem = problemOf(file, mime, known, limits);
    if (problem) {
      problems.push({ problem, names: 'name' in problem ? [] : [file.name] });
      continue;
    }
    accepted.push({ file, mime });
    known.push({ name: file.name, mime, bytes: file.size });
  }
  return { accepted, problems };
}

function problemOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  mime: string,
  known: readonly FileFacts[],
  limits: FileLimits,
): FileProblem | null {
  if (size === 0) return { type: 'empty', name };
  if (!limits.accepts(mime)) return problemOfType(name, mime);
  if (size > limits.fileBytes) return { type: 'too_large', megabytes: limits.fileBytes / MEGABYTE };
  const total = known.reduce((sum, one) => sum + one.bytes, size);
  if (total > limits.totalBytes) return { type: 'too_large_together', megabytes: limits.totalBytes / MEGABYTE };
  const isKnown = known.some((one) => one.name === name && one.bytes === size && one.mime === mime);
  return isKnown ? { type: 'duplicate' } : null;
}
