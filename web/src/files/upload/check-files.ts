// What the browser checks before it uploads, in the order of the sentences that people know.
import { MEGABYTE, type FileLimits } from '@parley/schema/files/file-limits';
import type { FileProblem } from '@parley/schema/files/file-problem';
import { typeOfFile } from '@parley/schema/files/file-types';

/** A file by what is known before it is read. */
export interface FileFacts {
  name: string;
  mime: string;
  bytes: number;
}

export interface CheckedFiles<F> {
  accepted: { file: F; mime: string }[];
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
export function checkFiles<F extends Pick<File, 'name' | 'type' | 'size'>>(
  chosen: readonly F[],
  present: readonly FileFacts[],
  limits: FileLimits,
): CheckedFiles<F> {
  const accepted: { file: F; mime: string }[] = [];
  if (chosen.length + present.length > limits.files)
    return {
      accepted,
      problems: [{ problem: { type: 'too_many', most: limits.files }, names: chosen.map(({ name }) => name) }],
    };
  const problems: RefusedFiles[] = [];
  const known = [...present];
  for (const file of chosen) {
    const mime = typeOfFile(file.name, file.type);
    const problem = problemOf(file, mime, known, limits);
    if (problem || mime === null) {
      if (problem) problems.push({ problem, names: 'name' in problem ? [] : [file.name] });
      continue;
    }
    accepted.push({ file, mime });
    known.push({ name: file.name, mime, bytes: file.size });
  }
  return { accepted, problems };
}

function problemOf(
  { name, size }: Pick<File, 'name' | 'size'>,
  mime: string | null,
  known: readonly FileFacts[],
  limits: FileLimits,
): FileProblem | null {
  if (mime === null) return { type: 'unknown_type', name };
  if (!limits.accepts(mime)) return { type: 'unsupported_type', mime };
  if (size > limits.fileBytes) return { type: 'too_large', megabytes: limits.fileBytes / MEGABYTE };
  const total = known.reduce((sum, one) => sum + one.bytes, size);
  if (total > limits.totalBytes) return { type: 'too_large_together', megabytes: limits.totalBytes / MEGABYTE };
  const isKnown = known.some((one) => one.name === name && one.bytes === size && one.mime === mime);
  return isKnown ? { type: 'duplicate' } : null;
}
