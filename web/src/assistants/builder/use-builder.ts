import type { Assistant } from '@parley/schema/assistants/assistants';
import { useAtom, useAtomValue, useSetAtom } from 'jotai';
import { modelsOf } from '../../catalog/choose-model.ts';
import type { Chat } from '../../chat/use-chat.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { emptyForm, formOf, isChanged, type BuilderForm } from './builder-form.ts';
import { formsAtom, isNewAtom, setFormAtom } from './builder-state.ts';

/** Stands for an assistant that is not saved yet. */
const NEW = '';
const NONE: readonly string[] = [];

export interface Builder {
  chat: Chat;
  /** As the server has it; null for a new one. */
  saved: Assistant | null;
  /** The assistant of the chat, where another user shares it: only its owner changes it. */
  foreign: Assistant | null;
  form: BuilderForm;
  isDirty: boolean;
  change: (part: Partial<BuilderForm>) => void;
  /** Forgets unsaved changes. */
  discard: () => void;
  models: readonly string[];
  retrievalModels: readonly string[];
  /** What the operator leaves on. */
  capabilities: readonly string[];
}

/** The assistant that the builder edits: that of the chat, unless a new one is built. */
export function useBuilder(chat: Chat): Builder {
  const catalog = useCatalog();
  const forms = useAtomValue(formsAtom);
  const setForm = useSetAtom(setFormAtom);
  const [isNew] = useAtom(isNewAtom);
  const { assistantState: state, modelTarget } = chat;
  const shown = !isNew && state.status === 'chosen' ? state.assistant : null;
  const isForeign = shown?.sharedBy !== undefined;
  const saved = isForeign ? null : shown;
  const endpoint = modelTarget?.endpoint ?? 'assistants';
  const models = catalog ? modelsOf(endpoint, catalog) : NONE;
  const { retrievalModels = NONE, capabilities = NONE } = catalog?.endpoints[endpoint] ?? {};
  const id = saved?.assistantId ?? NEW;
  const before = saved ? formOf(saved) : emptyForm(models[0] ?? '');
  const form = forms[id] ?? before;
  return {
    chat,
    saved,
    foreign: isForeign ? shown : null,
    form,
    isDirty: isChanged(form, before),
    change: (part) => setForm(id, { ...form, ...part }),
    discard: () => setForm(id, null),
    models: form.model !== '' && !models.includes(form.model) ? [form.model, ...models] : models,
    retrievalModels,
    capabilities,
  };
}
