// Assistants of an export of everything: their own definitions. Actions stay out, since their keys do, and so do the
// functions that they brought.
import { assistants } from '@parley/db/tables/assistants';
import { ASSISTANT_FILES_MAX, CreateAssistant } from '@parley/schema/assistants/assistant-inputs';
import type { AssistantTool } from '@parley/schema/assistants/assistants';
import { parseJson } from '@parley/schema/json';
import { IMPORT_LIMITS, type ArchiveLine } from '@parley/schema/transfer/results';
import { createSplitter } from '@parley/schema/transfer/splitter';
import { eq } from 'drizzle-orm';
import * as z from 'zod';
import { createAssistant } from '../../assistants/assistants.ts';
import { withoutActions } from '../../assistants/chosen-tools.ts';
import type { AssistantRow } from '../../assistants/present.ts';
import type { Deps } from '../../deps.ts';
import { derivedId } from '../../platform/derived-id.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Zip } from '../../platform/zip/read-zip.ts';
import type { FindFile } from '../stored-links.ts';
import { ASSISTANTS } from './open-archive.ts';

const { shape } = CreateAssistant;
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

export interface RestoredAssistants {
  /** Null where there is nothing to tell. */
  line: ArchiveLine | null;
  /** Of assistants here, by those in the export. */
  ids: ReadonlyMap<string, string>;
}

/**
 * Adds the assistants that the person has not: those of the same id, of an earlier import or of the same content stay
 * as they are. A new one has an id of its own, since an operator may allow some ids and no others. Where the operator has
 * disabled the builder there are no new ones: their person could neither change nor delete them.
 */
export async function restoreAssistants(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: string,
  zip: Zip,
  findFile: FindFile,
): Promise<RestoredAssistants> {
  const ids = new Map<string, string>();
  const count = { imported: 0, present: 0, skipped: 0 };
  if (!zip.has(ASSISTANTS)) return { line: null, ids };
  const { assistants: endpoint } = config.endpoints;
  const isOpen = !endpoint.enabled || endpoint.disableBuilder !== true;
  const own = await db.query.select().from(assistants).where(eq(assistants.userId, userId));
  const known = new Map(own.flatMap((row) => [row.id, contentOf(row)].map((key) => [key, row.id] as const)));
  const splitter = createSplitter(IMPORT_LIMITS);
  for await (const chunk of zip.read(ASSISTANTS)) for (const piece of splitter.push(chunk)) await take(piece.bytes);
  const isEmpty = Object.values(count).every((number) => number === 0);
  return { line: isEmpty ? null : { kind: 'assistants', ...count }, ids };

  async function take(bytes: readonly Uint8Array[]): Promise<void> {
    const given = ExportedAssistant.safeParse(parseJson(Buffer.concat(bytes).toString())).data;
    if (!given) return void (count.skipped += 1);
    const { assistantId, fileIds, ...definition } = given;
    const id = `asst_${derivedId('import-assistant', userId, assistantId).replaceAll('-', '').slice(0, ID_LENGTH)}`;
    const present = [assistantId, id, contentOf(definition)].flatMap((key) => known.get(key) ?? []).at(0);
    if (present !== undefined) {
      ids.set(assistantId, present);
      return void (count.present += 1);
    }
    const files = [...new Set(fileIds.flatMap((fileId) => findFile(fileId)?.fileId ?? []))];
    const isAdded = isOpen && (await add({ ...definition, fileIds: files.slice(0, ASSISTANT_FILES_MAX) }, id));
    if (!isAdded) return void (count.skipped += 1);
    for (const key of [id, contentOf(definition)]) known.set(key, id);
    ids.set(assistantId, id);
    count.imported += 1;
  }

  /** False above the limit. */
  async function add(input: Parameters<typeof createAssistant>[2], id: string): Promise<boolean> {
    try {
      await createAssistant(db, userId, input, id);
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }
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
