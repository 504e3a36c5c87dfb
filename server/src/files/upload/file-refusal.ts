// A file that is not taken: in English for REST clients, and as the problem itself for the app.
import type { FileProblem } from '@parley/schema/files/file-problem';
import { Refusal } from '../../platform/errors.ts';

/** Of the problems that the server can find. */
type Found = Exclude<FileProblem, { type: 'too_many' | 'duplicate' | 'no_room' | 'disk_full' | 'too_often' | 'busy' }>;

export class FileRefusal extends Refusal {
  override name = 'FileRefusal';
  readonly problem: FileProblem;

  constructor(problem: Found) {
    super({ type: 'invalid_input', text: sentenceOf(problem) });
    this.problem = problem;
  }
}

/** What the operator's scanner did not let pass; null for any other error. */
export function scanProblem(error: unknown): 'infected' | 'not_scanned' | null {
  if (!(error instanceof FileRefusal)) return null;
  const { type } = error.problem;
  return type === 'infected' || type === 'not_scanned' ? type : null;
}

export function refuseFile(problem: Found): never {
  throw new FileRefusal(problem);
}

/** In the words that existing clients know. */
function sentenceOf(problem: Found): string {
  switch (problem.type) {
    case 'unknown_type':
      return `Unable to determine file type for: ${problem.name}`;
    case 'unsupported_type':
      return `Currently, unsupported file type: ${problem.mime}`;
    case 'empty':
      return `${problem.name} is empty.`;
    case 'save_as':
      return `${problem.from} files cannot be read here. Save the file as ${problem.to} and attach it again.`;
    case 'too_large':
      return `File size exceeds ${problem.megabytes} MB.`;
    case 'too_large_together':
      return `The total size of the files cannot exceed ${problem.megabytes} MB.`;
    case 'not_here':
      return `Files cannot be attached on ${problem.endpoint}.`;
    case 'image_unreadable':
      return 'The image cannot be read.';
    case 'image_too_large':
      return 'The image has too many pixels.';
    case 'image_too_slow':
      return 'The image takes too long to process.';
    case 'infected':
      return 'The file was refused: the scanner of this server found something harmful in it.';
    case 'not_scanned':
      return 'The file could not be scanned now. Please try again later.';
    default:
      return problem satisfies never;
  }
}
