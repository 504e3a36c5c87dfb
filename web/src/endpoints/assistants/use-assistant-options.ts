import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { endpointTypeOf, type Catalog, type Choice } from '../../catalog/choose-model.ts';
import { NEW_ASSISTANT, type ModelRef } from '../../catalog/model-groups.ts';
import { useAssistants } from './use-assistants.ts';
import { useCanBuild } from './use-can-build.ts';

/**
 * The assistants of the list of models, where this server offers any; none without a catalogue. `current` is the option of the current choice;
 * `choiceOf` is what an option stands for, null for the one that makes a new assistant.
 */
export function useAssistantOptions(catalog: Catalog | undefined, current: Choice) {
  const { t } = useTranslation();
  const isOffered = catalog?.endpoints.assistants !== undefined;
  const canBuild = useCanBuild();
  const { data: assistants } = useAssistants({ enabled: isOffered });
  const names = useMemo(() => {
    if (!isOffered) return undefined;
    const known = (assistants ?? []).map(
      ({ assistantId, name }) => [assistantId, name || t('com_assistants_unnamed')] as const,
    );
    return new Map([...known, ...(canBuild ? [[NEW_ASSISTANT, t('com_assistants_new')] as const] : [])]);
  }, [isOffered, assistants, canBuild, t]);
  const isFor = ({ endpoint }: { endpoint: string }) =>
    isOffered && endpointTypeOf(endpoint, catalog?.endpoints[endpoint]) === 'assistants';
  const isForAssistants = isFor(current);
  const { assistant_id: chosenId = null } = current.settings ?? {};
  const { endpoint } = current;
  const model = isForAssistants ? String(chosenId) : current.model;
  const ref = useMemo(() => ({ endpoint, model }), [endpoint, model]);

  function choiceOf(option: ModelRef): Choice | null {
    if (!isFor(option)) return option;
    const assistant = assistants?.find(({ assistantId }) => assistantId === option.model);
    if (!assistant) return null;
    const settings = { ...(isForAssistants && current.settings), assistant_id: assistant.assistantId };
    return { endpoint: option.endpoint, model: assistant.model, settings };
  }

  return { assistants, names, current: ref, choiceOf };
}
