// Lets a model change what it has made, such as a page or a chart, without writing all of it again.
import { ARTIFACT_TOOL, sourceText, wholeBlock, type ArtifactBlock } from '@parley/schema/artifacts/artifact-call';
import { isKind, LANGUAGES, titleInSource, writeFenceInfo } from '@parley/schema/artifacts/artifact-kind';
import { editSource } from '@parley/schema/artifacts/edit-source';
import { findArtifacts, type Artifact } from '@parley/schema/artifacts/find-artifacts';
import { findLibraries } from '@parley/schema/artifacts/shelf/find-libraries';
import { SHELF_FOR_MODELS } from '@parley/schema/artifacts/shelf/libraries';
import { artifactsOfMessage } from '@parley/schema/artifacts/versions';
import * as z from 'zod';
import { argumentsSchema } from '../../providers/tool-spec.ts';
import { OUTPUT_CHARS_MAX } from '../cut-output.ts';
import type { BranchText, Chosen, Tool, ToolOutcome, ToolRun } from '../tool.ts';

const NAME_MAX = 80;
const EDITS_MAX = 50;
/** For the branch to be read. */
const TIMEOUT_MS = 30_000;
/** Of those that exist, when a model names none of them. */
const NAMED_MAX = 20;

const DESCRIPTION = `Changes an artifact: a page, picture, app, diagram, document or table that the person sees beside the chat, in versions. Blocks of code of your answers are artifacts if they have at least 15 lines (SVG: 5) or begin with an id, as \`\`\`html id=chart title="Sales".
- To change one, give \`id\` and \`edits\`; each \`find\` must occur exactly once in the newest version, the person's changes included. Do not write the whole of it again for a small change.
- To make one, or to replace all of it, give \`id\`, \`title\`, \`kind\` and \`text\`.
- To read the newest version, give \`id\` alone.`;

const Args = z.object({
  id: z.string(),
  title: z.string().optional(),
  kind: z.string().optional(),
  text: z.string().optional(),
  edits: z.array(z.object({ find: z.string(), replace: z.string() })).optional(),
});
type Args = z.infer<typeof Args>;

/**
 * For one reply. Its calls are carried out one after the other, since each changes what the one before has made.
 * @param runs false where the operator lets nothing run, so that no library is of use
 */
export function createArtifactTool({ branch }: Pick<Chosen, 'branch'>, runs = true): Tool {
  const versions = createVersions(branch);
  let turn: Promise<unknown> = Promise.resolve();
  return {
    name: ARTIFACT_TOOL,
    description: runs ? `${DESCRIPTION}\n${SHELF_FOR_MODELS}` : DESCRIPTION,
    parameters: {
      ...argumentsSchema(
        {
          id: { type: 'string', description: 'The name of the artifact.', maxLength: NAME_MAX },
          title: { type: 'string', maxLength: NAME_MAX },
          kind: { type: 'string', enum: Object.keys(LANGUAGES) },
          text: { type: 'string', description: 'All of it.' },
          edits: {
            type: 'array',
            description: 'Changes, made one after the other.',
            maxItems: EDITS_MAX,
            items: argumentsSchema({ find: { type: 'string' }, replace: { type: 'string' } }),
          },
        },
        ['id'],
      ),
      additionalProperties: false,
    },
    kind: 'function',
    from: { source: 'builtin', id: ARTIFACT_TOOL, label: 'Artifacts' },
    isRepeatable: true,
    asks: 'never',
    limits: { timeoutMs: TIMEOUT_MS, outputChars: OUTPUT_CHARS_MAX },
    run(call) {
      const outcome = turn.then(() => carryOut(versions, call));
      turn = outcome.catch(() => undefined);
      return outcome;
    },
  };
}

async function carryOut(versions: Versions, { args, said = [] }: ToolRun): Promise<ToolOutcome> {
  const { data } = Args.safeParse(args);
  if (!data) return failed('The arguments do not fit.');
  versions.hear(said);
  const { id, text, edits } = data;
  if (text !== undefined && edits) return failed('Give either `edits` or `text`.');
  if (text !== undefined) return make(versions, { ...data, text });
  const { newest, others } = await versions.find(id);
  if (!newest) return failed(`There is no artifact ${JSON.stringify(id)} in this conversation. ${listOf(others)}`);
  if (!edits) return { type: 'done', text: newest.source };
  const cleaned = edits.map(({ find, replace }) => ({ find: sourceText(find), replace: sourceText(replace) }));
  const edited = editSource(newest.source, cleaned);
  if ('problem' in edited) return failed(edited.problem);
  return keep(versions, { info: infoOf(newest, data), source: edited.source }, newest.kind);
}

function make(versions: Versions, args: Args & { text: string }): ToolOutcome {
  const { id, kind } = args;
  if (!isKind(kind)) return failed(`\`text\` needs a \`kind\`: ${Object.keys(LANGUAGES).join(', ')}.`);
  const block = id.trim() === '' ? null : wholeBlock(args);
  return block ? keep(versions, block, kind, false) : failed('`id` is empty.');
}

/** @param isOutput false where the arguments hold all of it */
function keep(versions: Versions, block: ArtifactBlock, kind: Artifact['kind'], isOutput = true): ToolOutcome {
  const [made] = findArtifacts([block]);
  if (!made || made.kind !== kind)
    return failed(
      `This cannot be shown as ${kind}${kind === 'react' ? ', which exports a component as default and imports no files' : ''}; or it is too long. Nothing was changed.`,
    );
  versions.add(made);
  const text = `The person sees this version of ${JSON.stringify(nameOf(made))}: ${made.source.split('\n').length} lines.${lacking(made)}`;
  return { type: 'done', text, ...(isOutput && { outputs: [{ type: 'artifact', ...block }] }) };
}

/** Without these it is not drawn: the model can use others. */
function lacking({ kind, source }: Artifact): string {
  const { missing } = findLibraries(kind, source);
  return missing.length === 0 ? '' : ` It uses what cannot be loaded here: ${missing.slice(0, NAMED_MAX).join(', ')}.`;
}

/** A title that the source says itself follows it. */
function infoOf({ id, kind, language, title: before, source }: Artifact, { title }: Args): string {
  const name = id.slice(kind.length + 1);
  const isOwn = before === titleInSource(kind, source) || before === name;
  return writeFenceInfo({ language, id: name, title: title ?? (isOwn ? null : before) });
}

function failed(text: string): ToolOutcome {
  return { type: 'failed', text };
}

interface Versions {
  /** The texts of this run, with those that it has heard before. */
  hear(said: readonly string[]): void;
  add(made: Artifact): void;
  find(name: string): Promise<{ newest: Artifact | undefined; others: Artifact[] }>;
}

/** The artifacts of a branch, of which what this run makes is the end. */
function createVersions(branch: Chosen['branch']): Versions {
  const own: Artifact[] = [];
  let heard = 0;
  return {
    hear(said) {
      own.push(...findArtifacts(said.slice(heard)));
      heard = said.length;
    },
    add: (made) => void own.push(made),
    async find(name) {
      const wanted = name.trim().toLowerCase();
      const isIt = (one: Artifact) => nameOf(one) === wanted || one.id === wanted;
      let newest = own.findLast(isIt);
      const others = [...own];
      if (!newest)
        for await (const artifacts of answersOf(branch?.() ?? [])) {
          newest = artifacts.findLast(isIt);
          if (newest) break;
          others.push(...artifacts);
        }
      return { newest, others };
    },
  };
}

/** The newest answer first. */
async function* answersOf(branch: AsyncIterable<BranchText> | Iterable<BranchText>): AsyncGenerator<Artifact[]> {
  for await (const said of branch) {
    // Files come last.
    if (said.from === 'file') return;
    if (said.from === 'reply') yield artifactsOfMessage(said);
  }
}

function nameOf({ id, kind }: Artifact): string {
  return id.slice(kind.length + 1);
}

function listOf(artifacts: readonly Artifact[]): string {
  const names = [...new Set(artifacts.map(nameOf))].slice(0, NAMED_MAX);
  return names.length === 0 ? 'There are none.' : `There are: ${names.map((name) => JSON.stringify(name)).join(', ')}.`;
}
