// The tool with which a model searches attached files that it was shown only by passages.
import { Refusal } from '../../platform/errors.ts';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import type { Tool, ToolOutcome } from '../tool.ts';
import { formatPassage, type ShownPassage } from '../../retrieval/cite.ts';
import type { Finding } from '../../retrieval/find.ts';
import type { FoundPassage } from '../../retrieval/passages.ts';

export interface SearchedFiles {
  userId: string;
  files: readonly { fileId: string; name: string }[];
  /** What the model got, by its numbers; the tool adds what it finds. */
  shown: ShownPassage[];
  /** Called after passages were added, before the model gets them. */
  onShown(): Promise<void>;
  find(finding: Finding, signal: AbortSignal): Promise<FoundPassage[]>;
}

export const FILE_SEARCH = 'file_search';
const QUERY_MAX = 1000;
const TOKENS_MAX = 4000;
/** Pages of the web have the numbers above. */
const NUMBERS_MAX = 999;
const DESCRIPTION =
  'Searches the attached files that are too long to be shown whole, and returns numbered passages. Write the number of a passage after each statement that rests on it, like [9].';

export function createFileSearch(searched: SearchedFiles): Tool {
  return {
    name: FILE_SEARCH,
    description: DESCRIPTION,
    parameters: {
      ...argumentsSchema(
        {
          query: { type: 'string', description: 'What to look for.', maxLength: QUERY_MAX },
          files: {
            type: 'array',
            items: { type: 'string' },
            description: 'The names of the files to search; without them all are searched.',
          },
        },
        ['query'],
      ),
      additionalProperties: false,
    },
    kind: 'retrieval',
    from: { source: 'builtin', id: FILE_SEARCH, label: 'File search' },
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: 45_000, outputChars: 32_000 },
    run: ({ args, signal }) => search(searched, args, signal),
  };
}

async function search(
  searched: SearchedFiles,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const { userId, shown, find, onShown } = searched;
  const before = shown.length;
  const wanted = Array.isArray(args.files) && args.files.length > 0 ? new Set<unknown>(args.files) : null;
  const files = searched.files.filter(({ name }) => wanted === null || wanted.has(name));
  if (files.length === 0) {
    const names = searched.files.map(({ name }) => JSON.stringify(name)).join(', ');
    return { type: 'failed', text: `No file has this name. The files are: ${names}.` };
  }
  const fileIds = files.map(({ fileId }) => fileId);
  try {
    const found = await find({ userId, fileIds, question: String(args.query), tokensMax: TOKENS_MAX }, signal);
    const nameOf = (id: string) => files.find(({ fileId }) => fileId === id)?.name ?? '';
    const numbered = found.flatMap((one) => numberPassage({ ...one, name: nameOf(one.fileId) }, shown));
    if (shown.length > before) await onShown();
    return { type: 'done', text: numbered.length > 0 ? numbered.join('\n') : 'Nothing was found.' };
  } catch (error) {
    if (!(error instanceof Refusal) || error.reason.type !== 'files_too_long') throw error;
    return { type: 'failed', text: 'These files are too long to be searched together. Name fewer of them.' };
  }
}

/** The passage under the number that it has already, or under the next one; nothing when all are taken. */
function numberPassage(passage: ShownPassage, shown: ShownPassage[]): string[] {
  const { fileId, n, last } = passage;
  const known = shown.findIndex((one) => one.fileId === fileId && one.n === n && one.last === last);
  if (known >= 0) return [formatPassage(passage, known + 1)];
  if (shown.length >= NUMBERS_MAX) return [];
  return [formatPassage(passage, shown.push(passage))];
}
