// Assistants of an export of everything, with their actions, whose keys stay out: their owner enters them again.
import type { Db } from '@parley/db/client';
import { assistants } from '@parley/db/tables/assistants';
import { rowReader } from '@parley/db/travelling';
import type { GivenActionInput } from '@parley/schema/assistants/action-inputs';
import {
  ASSISTANT_FILES_MAX,
  ASSISTANT_SOURCES_MAX,
  CreateAssistant,
} from '@parley/schema/assistants/assistant-inputs';
import type { AssistantTool } from '@parley/schema/assistants/assistants';
import type { Counts } from '@parley/schema/transfer/results';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { addSources, createAssistant } from '../../assistants/assistants.ts';
import { withoutActions } from '../../assistants/chosen-tools.ts';
import type { AssistantRow } from '../../assistants/present.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import type { FindFile, StoredLinks } from '../stored-links.ts';
import { findFolder, findSet } from './find-restored.ts';
import { itemsOf } from './items-of.ts';
import { LISTS } from './open-archive.ts';
import type { Config } from '../../config/config.ts';
import type { Actions } from '../../actions/actions.ts';

const { shape } = CreateAssistant;
/** More than an assistant may have. */
const ACTIONS_READ_MAX = 100;
const ExportedAssistant = z.object({
  assistantId: z.string().min(1).max(256),
  endpoint: shape.endpoint.catch(null),
  model: shape.model,
  name: shape.name.catch(null),
  description: shape.description.catch(null),
  instructions: shape.instructions.catch(null),
  tools: z
    .array(z.unknown())
    .catch([])
    .transform((list) => withoutActions(list.flatMap(readTool))),
  fileIds: z.array(z.string().max(256)).catch([]),
  metadata: shape.metadata.catch({}),
});
type ExportedAssistant = z.infer<typeof ExportedAssistant>;

const FIELDS = [
  'id',
  'endpoint',
  'model',
  'name',
  'description',
  'instructions',
  'tools',
  'metadata',
  'sources',
] as const;
const readOthers = rowReader('assistants', {}, FIELDS);

/** The documents of an assistant's actions are read here, and everything that follows from them. */
const ExportedActions = z.object({ actions: z.array(z.unknown()).max(ACTIONS_READ_MAX).catch([]) });
const ExportedAction = z.object({
  id: z.string().min(1).max(256),
  document: z.string(),
  settings: z.object({
    auth: z.unknown().optional(),
    privacyPolicyUrl: z.string().nullish().catch(null),
    chosen: z.array(z.string()).optional().catch(undefined),
  }),
});
const readOthersOfAction = rowReader('actions', {}, ['id', 'assistantId', 'domain', 'document', 'settings']);

export interface RestoredAssistants {
  counts: { assistants: Counts; actions: Counts };
  /** Of assistants here, by those in the export. */
  ids: ReadonlyMap<string, string>;
}

/**
 * Adds the assistants that the person has not: those of the same id, of an earlier import or of the same content stay
 * as they are. A new one has an id of its own, since an operator may allow some ids and no others. Where the operator has
 * disabled the builder there are no new ones: their person could neither change nor delete them.
 */
export async function restoreAssistants(
  { db, config, actions }: { db: Db; config: Config; actions: Actions },
  userId: string,
  zip: Zip,
  findFile: FindFile,
): Promise<RestoredAssistants> {
  const ids = new Map<string, string>();
  const counts = { assistants: noneYet(), actions: noneYet() };
  const isOpen = !config.endpoints.assistants.enabled || config.endpoints.assistants.disableBuilder !== true;
  const known = await findKnown(db, userId);
  for await (const value of itemsOf(zip, LISTS.assistants)) await take(value);
  return { counts, ids };

  async function take(value: unknown): Promise<void> {
    const given = ExportedAssistant.safeParse(value).data;
    if (!given) return void (counts.assistants.skipped += 1);
    const { assistantId, fileIds, ...definition } = given;
    const id = `asst_${derivedId('import-assistant', userId, assistantId).replaceAll('-', '').slice(0, ID_LENGTH)}`;
    const present = [assistantId, id, contentOf(definition)].flatMap((key) => known.get(key) ?? []).at(0);
    if (present !== undefined) {
      ids.set(assistantId, present);
      return void (counts.assistants.present += 1);
    }
    const files = new Set(fileIds.flatMap((one) => findFile(one)?.fileId ?? []));
    const input = { ...definition, fileIds: [...files].slice(0, ASSISTANT_FILES_MAX) };
    const isAdded = isOpen && (await unlessRefused(() => createAssistant(db, userId, input, id, readOthers(value))));
    if (!isAdded) return void (counts.assistants.skipped += 1);
    for (const key of [id, contentOf(definition)]) known.set(key, id);
    ids.set(assistantId, id);
    counts.assistants.imported += 1;
    for (const action of ExportedActions.parse(value).actions) counts.actions[await takeAction(action, id)] += 1;
  }

  async function takeAction(value: unknown, assistantId: string): Promise<keyof Counts> {
    const { data } = ExportedAction.safeParse(value);
    if (!data) return 'skipped';
    const { auth, privacyPolicyUrl = null, chosen = null } = data.settings;
    const id = derivedId('import-action', userId, data.id);
    // What is no such input is refused, as everywhere.
    const given = { rawSpec: data.document, auth, privacyPolicyUrl, operations: chosen } as GivenActionInput;
    const restored = { id, assistantId, given, others: readOthersOfAction(value) };
    return (await unlessRefused(() => actions.restore(userId, restored))) || 'skipped';
  }
}

/** The ids of a person's assistants, by these ids and by what is in them. */
async function findKnown({ query }: Db, userId: string): Promise<Map<string, string>> {
  const own = await query.select().from(assistants).where(eq(assistants.userId, userId));
  return new Map(own.flatMap((row) => [row.id, contentOf(row)].map((key) => [key, row.id] as const)));
}

/** False above a limit, and for what is not allowed here. */
async function unlessRefused<Result>(run: () => Promise<Result>): Promise<Result | false> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

function noneYet(): Counts {
  return { imported: 0, present: 0, skipped: 0 };
}

/** As of every assistant, behind `asst_`. */
const ID_LENGTH = 24;

/** None for what is no tool here. */
function readTool(value: unknown): AssistantTool[] {
  const [tool] = shape.tools.safeParse([value]).data ?? [];
  if (tool === undefined || typeof tool === 'string') return [];
  if (tool.type !== 'function') return [tool];
  const { name, description, parameters } = tool.function;
  return [
    { type: 'function', function: { name, ...(description && { description }), ...(parameters && { parameters }) } },
  ];
}

function contentOf(
  assistant: Pick<AssistantRow, 'model' | 'tools'> & Partial<Omit<ExportedAssistant, 'tools'>>,
): string {
  const { endpoint = null, model, name = null, description = null, instructions = null, tools, metadata } = assistant;
  const starters = metadata?.conversation_starters ?? [];
  const kinds = withoutActions(tools).map((tool) => (tool.type === 'function' ? tool.function.name : tool.type));
  return JSON.stringify([endpoint, model, name, description, instructions, kinds, starters]);
}

const SourceId = z.string().min(1).max(256);
const Source = z.object({ kind: z.enum(['folder', 'set']), id: SourceId });
const NamedByAssistant = z.object({
  assistantId: SourceId,
  sources: z.array(Source).min(1).max(ASSISTANT_SOURCES_MAX),
});

/** Gives assistants that have none the projects and sets of those in the export, as far as these are here. */
export async function restoreSources(db: Db, userId: string, zip: Zip, stored: StoredLinks): Promise<void> {
  for await (const value of itemsOf(zip, LISTS.assistants)) {
    const { data } = NamedByAssistant.safeParse(value);
    const id = data && stored.assistant(data.assistantId);
    if (!data || id === undefined) continue;
    const here = await Promise.all(
      data.sources.map(async ({ kind, id: sourceId }) => {
        const found = await (kind === 'set' ? findSet : findFolder)(db, userId, sourceId);
        return found === undefined ? [] : [{ kind, id: found }];
      }),
    );
    await addSources(db, userId, id, here.flat());
  }
}
