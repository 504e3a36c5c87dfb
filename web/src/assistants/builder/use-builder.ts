import { answersForAssistants, type Assistant } from '@parley/schema/assistants/assistants';
import { useAtomValue, useSetAtom } from 'jotai';
import { useMemo } from 'react';
import { chooseForNewChat, endpointTypeOf, type Catalog, type LastChoices } from '../../catalog/choose-model.ts';
import { lastChoicesAtom } from '../../catalog/last-choices.ts';
import { useCatalog } from '../../endpoints/use-catalog.ts';
import { emptyForm, builderForm, isChanged, type BuilderForm } from './builder-form.ts';
import { formsAtom, setFormAtom } from './builder-state.ts';

/** Stands for an assistant that is not saved yet. */
const NEW = '';
const NONE: readonly string[] = [];

export interface Builder {
  /** As the server has it; null for a new one. */
  saved: Assistant | null;
  form: BuilderForm;
  isDirty: boolean;
  change: (part: Partial<BuilderForm>) => void;
  /** Forgets unsaved changes. */
  discard: () => void;
  /** The endpoints and models that can answer. Undefined while loading. */
  catalog: Catalog | undefined;
  /** What the operator leaves on. */
  capabilities: readonly string[];
  /** Whether the model may search files. */
  canSearch: boolean;
}

/** An assistant as its form has it, with the changes that are not saved yet. */
export function useBuilder(saved: Assistant | null): Builder {
  const all = useCatalog();
  const catalog = useMemo(() => all && answeringOf(all), [all]);
  const memory = useAtomValue(lastChoicesAtom);
  const forms = useAtomValue(formsAtom);
  const setForm = useSetAtom(setFormAtom);
  const { retrievalModels, capabilities = NONE } = all?.endpoints.assistants ?? {};
  const id = saved?.assistantId ?? NEW;
  const first = useMemo(() => firstModel(catalog, memory), [catalog, memory]);
  const before = saved ? builderForm(saved) : emptyForm(first);
  const form = forms[id] ?? before;
  return {
    saved,
    form,
    isDirty: isChanged(form, before),
    change: (part) => setForm(id, { ...form, ...part }),
    discard: () => setForm(id, null),
    catalog,
    capabilities,
    canSearch: capabilities.includes('retrieval') && (retrievalModels?.includes(form.model) ?? true),
  };
}

/**
 * The endpoints whose models can answer, and, under the name of the assistants, the models that only the operator's own
 * key of assistants has.
 */
function answeringOf({ endpoints, models }: Catalog): Catalog {
  const answering = Object.entries(endpoints).filter(([name, config]) =>
    answersForAssistants(endpointTypeOf(name, config)),
  );
  const known = new Set(answering.flatMap(([name]) => models[name] ?? []));
  const own = (models.assistants ?? []).filter((model) => !known.has(model));
  const { assistants } = endpoints;
  const extra = assistants && own.length > 0 ? [['assistants', assistants] as const] : [];
  return {
    endpoints: Object.fromEntries([...answering, ...extra]),
    models: { ...Object.fromEntries(answering.map(([name]) => [name, models[name] ?? []])), assistants: own },
  };
}

/** The model of a new assistant: that of the last chat, where it can answer. */
function firstModel(catalog: Catalog | undefined, memory: LastChoices): Pick<BuilderForm, 'endpoint' | 'model'> {
  if (!catalog) return { endpoint: '', model: '' };
  const { assistants: _own, ...endpoints } = catalog.endpoints;
  const choice = chooseForNewChat({ ...catalog, endpoints }, memory, null);
  const [ownModel = ''] = catalog.models.assistants ?? [];
  return choice ? { endpoint: choice.endpoint, model: choice.model ?? '' } : { endpoint: '', model: ownModel };
}
