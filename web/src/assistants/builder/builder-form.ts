// The form of the builder: what of an assistant is edited, and what is sent when it is saved.
import type {
  ASSISTANT_DESCRIPTION_MAX,
  ASSISTANT_INSTRUCTIONS_MAX,
  ASSISTANT_NAME_MAX,
  CreateAssistant,
} from '@parley/schema/assistants/assistant-inputs';
import type { Assistant, AssistantTool, Capability, FileSource } from '@parley/schema/assistants/assistants';

/** In characters, as the server has them. */
export const NAME_MAX: typeof ASSISTANT_NAME_MAX = 256;
export const DESCRIPTION_MAX: typeof ASSISTANT_DESCRIPTION_MAX = 512;
export const INSTRUCTIONS_MAX: typeof ASSISTANT_INSTRUCTIONS_MAX = 32_768;
export const STARTER_MAX = 1024;
export const STARTERS_MAX = 12;

/** Capabilities that are switched among the tools. Files are searched wherever there are any. */
export type Switchable = Extract<Capability, 'code_interpreter' | 'image_vision'>;

export interface BuilderForm {
  name: string;
  description: string;
  instructions: string;
  /** Of the model; empty for the operator's own key of assistants. */
  endpoint: string;
  model: string;
  switches: Readonly<Record<Switchable, boolean>>;
  /** Keys of tools that were added since the assistant was saved. */
  addedTools: readonly string[];
  /** Names of functions that were taken out since then. */
  removedTools: readonly string[];
  /** Which tools of a server it uses, by the server's key, where that was changed since then; null for all. */
  serverTools?: Readonly<Record<string, readonly string[] | null>>;
  /** The projects and sets whose files it has, where that was changed since then. */
  sources?: readonly FileSource[] | undefined;
  starters: readonly string[];
  /** With everybody of the installation. */
  isShared: boolean;
  /** It gets the instructions that others who use it keep for all of their chats. */
  knowsAsker: boolean;
}

export function emptyForm({ endpoint, model }: Pick<BuilderForm, 'endpoint' | 'model'>): BuilderForm {
  return {
    name: '',
    description: '',
    instructions: '',
    endpoint,
    model,
    switches: { code_interpreter: false, image_vision: false },
    addedTools: [],
    removedTools: [],
    starters: [],
    isShared: false,
    knowsAsker: false,
  };
}

export function builderForm(saved: Assistant): BuilderForm {
  const { name, description, instructions, endpoint, model, tools, metadata, isShared, knowsAsker } = saved;
  return {
    ...emptyForm({ endpoint: endpoint ?? '', model }),
    name: name ?? '',
    description: description ?? '',
    instructions: instructions ?? '',
    switches: switchesOf(tools),
    starters: metadata.conversation_starters ?? [],
    isShared,
    knowsAsker,
  };
}

function switchesOf(tools: readonly AssistantTool[]): Record<Switchable, boolean> {
  const has = (one: Switchable) => tools.some((tool) => nameOf(tool) === one);
  return { code_interpreter: has('code_interpreter'), image_vision: has('image_vision') };
}

/** The names of the functions that were picked; those of actions are listed with their action. */
export function pickedTools(tools: readonly AssistantTool[]): string[] {
  return tools
    .filter((tool) => tool.type === 'function')
    .map(nameOf)
    .filter((name) => name !== 'image_vision' && !isOfAction(name));
}

/** The keys of the tools that are on, with those that are switched. */
export function chosenToolKeys(form: BuilderForm, saved: Pick<Assistant, 'tools'> | null): string[] {
  const remaining = pickedTools(saved?.tools ?? []).filter((name) => !form.removedTools.includes(name));
  return [...switchedOn(form), ...remaining, ...form.addedTools.filter((key) => !remaining.includes(key))];
}

/** The part of the form that a tool which is switched on or off changes. */
export function toggleTool(form: BuilderForm, saved: Pick<Assistant, 'tools'> | null, key: string) {
  const { switches, addedTools, removedTools } = form;
  if (isSwitchable(key)) return { switches: { ...switches, [key]: !switches[key] } };
  const without = (keys: readonly string[]) => keys.filter((one) => one !== key);
  if (addedTools.includes(key)) return { addedTools: without(addedTools) };
  if (removedTools.includes(key)) return { removedTools: without(removedTools) };
  const wasPicked = pickedTools(saved?.tools ?? []).includes(key);
  return wasPicked ? { removedTools: [...removedTools, key] } : { addedTools: [...addedTools, key] };
}

/** The names of the tools of a server that the assistant uses; null for all. */
export function serverTools(form: BuilderForm, saved: Pick<Assistant, 'tools'> | null, key: string) {
  const changed = form.serverTools?.[key];
  return changed === undefined ? savedServerTools(saved?.tools.find((tool) => nameOf(tool) === key)) : changed;
}

function savedServerTools(tool: AssistantTool | undefined): readonly string[] | null {
  const names = tool?.type === 'function' ? tool.function.parameters?.tools : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : null;
}

/** The part of the form that changes when some tools of a server are switched. `all` are those that it has. */
export function setServerTools(
  form: BuilderForm,
  saved: Pick<Assistant, 'tools'> | null,
  key: string,
  { all, names, isOn }: { all: readonly string[]; names: readonly string[]; isOn: boolean },
): Required<Pick<BuilderForm, 'serverTools'>> {
  const before = serverTools(form, saved, key) ?? all;
  const chosen = isOn ? [...new Set([...before, ...names])] : before.filter((name) => !names.includes(name));
  const isWhole = all.every((name) => chosen.includes(name));
  return { serverTools: { ...form.serverTools, [key]: isWhole ? null : chosen } };
}

/** The projects and sets whose files it has. */
export function chosenSources(form: BuilderForm, saved: Pick<Assistant, 'sources'> | null): readonly FileSource[] {
  return form.sources ?? saved?.sources ?? [];
}

/** The part of the form that changes when a project or set is ticked or no more. */
export function toggleSource(form: BuilderForm, saved: Pick<Assistant, 'sources'> | null, source: FileSource) {
  const before = chosenSources(form, saved);
  const others = before.filter((one) => !isSameSource(one, source));
  const sources = others.length < before.length ? others : [...before, source];
  const stored = saved?.sources ?? [];
  const isAsSaved =
    sources.length === stored.length && sources.every((one) => stored.some((other) => isSameSource(one, other)));
  return { sources: isAsSaved ? undefined : sources };
}

export function isSameSource(one: FileSource, other: FileSource): boolean {
  return one.kind === other.kind && one.id === other.id;
}

/** What the files of an assistant need. `canSearch` is whether its model may search them. */
export type Knowledge = { hasFiles: boolean; canSearch: boolean };

/** What is sent. `saved` is the assistant as the server has it: its other tools stay. */
export function assistantInput(
  form: BuilderForm,
  saved: Pick<Assistant, 'tools' | 'metadata' | 'sources'> | null,
  { hasFiles, canSearch }: Knowledge,
): Omit<CreateAssistant, 'fileIds'> {
  const remaining = (saved?.tools ?? []).filter((tool) => !isSwitch(tool) && !form.removedTools.includes(nameOf(tool)));
  const searched =
    saved?.tools.some(({ type }) => type === 'retrieval') || hasFiles || chosenSources(form, saved).length > 0;
  const search = searched && canSearch ? [{ type: 'retrieval' as const }] : [];
  const starters = form.starters.map((text) => text.trim()).filter((text) => text !== '');
  const { author } = saved?.metadata ?? {};
  return {
    name: form.name.trim() || null,
    description: form.description.trim() || null,
    instructions: form.instructions.trim() === '' ? null : form.instructions,
    endpoint: form.endpoint || null,
    model: form.model,
    tools: [
      ...remaining.map((tool) => withServerTools(tool, form)),
      ...search,
      ...switchedOn(form).map((one) => (one === 'image_vision' ? one : { type: one })),
      ...form.addedTools.map((key) => addedInput(key, form)),
    ],
    ...(form.sources && { sources: [...form.sources] }),
    metadata: { ...(author !== undefined && { author }), conversation_starters: starters },
    isShared: form.isShared,
    knowsAsker: form.knowsAsker,
  };
}

function withServerTools(tool: AssistantTool, { serverTools: changed }: BuilderForm): AssistantTool {
  const names = changed?.[nameOf(tool)];
  if (tool.type !== 'function' || names === undefined) return tool;
  const { parameters: _before, ...named } = tool.function;
  return { type: 'function', function: { ...named, ...(names && { parameters: { tools: [...names] } }) } };
}

function addedInput(key: string, { serverTools: changed }: BuilderForm): string | AssistantTool {
  const names = changed?.[key];
  return names ? { type: 'function', function: { name: key, parameters: { tools: [...names] } } } : key;
}

/** Whether something would be saved. */
export function isChanged(form: BuilderForm, saved: BuilderForm): boolean {
  return JSON.stringify(form) !== JSON.stringify(saved);
}

const SWITCHABLE: readonly Switchable[] = ['code_interpreter', 'image_vision'];

function switchedOn({ switches }: Pick<BuilderForm, 'switches'>): Switchable[] {
  return SWITCHABLE.filter((one) => switches[one]);
}

function isSwitchable(key: string): key is Switchable {
  return SWITCHABLE.some((one) => one === key);
}

/** What is not kept as it was, but follows from the form. */
function isSwitch(tool: AssistantTool): boolean {
  return tool.type !== 'function' || tool.function.name === 'image_vision';
}

/** As the server names the functions of actions. */
function isOfAction(name: string): boolean {
  return name.includes('_action_');
}

function nameOf(tool: AssistantTool): string {
  return tool.type === 'function' ? tool.function.name : tool.type;
}
