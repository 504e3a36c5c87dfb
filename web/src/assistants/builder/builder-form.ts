// The form of the builder: what of an assistant is edited, and what is sent when it is saved.
import type {
  ASSISTANT_DESCRIPTION_MAX,
  ASSISTANT_INSTRUCTIONS_MAX,
  ASSISTANT_NAME_MAX,
  CreateAssistant,
} from '@parley/schema/assistants/assistant-inputs';
import type { Assistant, AssistantTool, Capability } from '@parley/schema/assistants/assistants';

/** In characters, as the server has them. */
export const NAME_MAX: typeof ASSISTANT_NAME_MAX = 256;
export const DESCRIPTION_MAX: typeof ASSISTANT_DESCRIPTION_MAX = 512;
export const INSTRUCTIONS_MAX: typeof ASSISTANT_INSTRUCTIONS_MAX = 32_768;
export const STARTER_MAX = 1024;
export const STARTERS_MAX = 12;

/** Capabilities that are switched by themselves. */
export type Switchable = Extract<Capability, 'code_interpreter' | 'retrieval' | 'image_vision'>;

export interface BuilderForm {
  name: string;
  description: string;
  instructions: string;
  model: string;
  switches: Readonly<Record<Switchable, boolean>>;
  /** Keys of tools that were added since the assistant was saved. */
  addedTools: readonly string[];
  /** Names of functions that were taken out since then. */
  removedTools: readonly string[];
  starters: readonly string[];
  /** With everybody of the installation. */
  isShared: boolean;
}

export function emptyForm(model: string): BuilderForm {
  return {
    name: '',
    description: '',
    instructions: '',
    model,
    switches: { code_interpreter: false, retrieval: false, image_vision: false },
    addedTools: [],
    removedTools: [],
    starters: [],
    isShared: false,
  };
}

export function formOf({ name, description, instructions, model, tools, metadata, isShared }: Assistant): BuilderForm {
  return {
    ...emptyForm(model),
    name: name ?? '',
    description: description ?? '',
    instructions: instructions ?? '',
    switches: switchesOf(tools),
    starters: metadata.conversation_starters ?? [],
    isShared,
  };
}

export function switchesOf(tools: readonly AssistantTool[]): Record<Switchable, boolean> {
  const has = (one: Switchable) => tools.some((tool) => nameOf(tool) === one);
  return { code_interpreter: has('code_interpreter'), retrieval: has('retrieval'), image_vision: has('image_vision') };
}

/** The names of the functions that were picked; those of actions are listed with their action. */
export function pickedTools(tools: readonly AssistantTool[]): string[] {
  return tools
    .filter((tool) => tool.type === 'function')
    .map(nameOf)
    .filter((name) => name !== 'image_vision' && !isOfAction(name));
}

/** Switches that the model allows: a model that cannot search files is not given retrieval. */
export function allowedSwitches(
  { switches, model }: Pick<BuilderForm, 'switches' | 'model'>,
  retrievalModels: readonly string[],
): Record<Switchable, boolean> {
  return { ...switches, retrieval: switches.retrieval && retrievalModels.includes(model) };
}

/** What is sent. `saved` is the assistant as the server has it: its other tools stay. */
export function inputOf(
  form: BuilderForm,
  saved: Pick<Assistant, 'tools' | 'metadata'> | null,
  retrievalModels: readonly string[],
): Omit<CreateAssistant, 'fileIds' | 'endpoint'> {
  const allowed = allowedSwitches(form, retrievalModels);
  const switched = (Object.keys(allowed) as Switchable[]).filter((one) => allowed[one]);
  const kept = (saved?.tools ?? []).filter((tool) => !isSwitch(tool) && !form.removedTools.includes(nameOf(tool)));
  const starters = form.starters.map((text) => text.trim()).filter((text) => text !== '');
  const { author } = saved?.metadata ?? {};
  return {
    name: form.name.trim() || null,
    description: form.description.trim() || null,
    instructions: form.instructions.trim() === '' ? null : form.instructions,
    model: form.model,
    tools: [...kept, ...switched.map(inputOfSwitch), ...form.addedTools],
    metadata: { ...(author !== undefined && { author }), conversation_starters: starters },
    isShared: form.isShared,
  };
}

/** Whether something would be saved. */
export function isChanged(form: BuilderForm, saved: BuilderForm): boolean {
  return JSON.stringify(form) !== JSON.stringify(saved);
}

function inputOfSwitch(one: Switchable): 'image_vision' | { type: 'code_interpreter' | 'retrieval' } {
  return one === 'image_vision' ? one : { type: one };
}

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
