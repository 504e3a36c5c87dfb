import type { Catalog, Choice } from '../catalog/choose-model.ts';
import { useAssistantOptions } from './assistants/use-assistant-options.ts';
import { findModelOption } from './model-options.tsx';
import { specChoiceOf, useBesideSpecs, useSpecSearch } from './specs/spec-options.tsx';
import { useCatalog } from './use-catalog.ts';
import { useModelSearch } from './use-model-search.ts';

/**
 * What is listed for what is typed: the operator's specs, then models and assistants. A choice is null for the option
 * that makes a new assistant.
 */
export function useMenuSearch(offered: Catalog | undefined, current: Choice) {
  const all = useCatalog();
  const catalog = offered ?? all;
  const beside = useBesideSpecs(catalog);
  const assistants = useAssistantOptions(offered ? undefined : beside, current);
  const models = useModelSearch(beside, assistants);
  const specs = useSpecSearch(catalog, models.query, models);

  /** What a value of the Combobox stands for. */
  function choiceOf(value: string): Choice | null | undefined {
    const option = findModelOption(models.list.options, value);
    return specChoiceOf(catalog, value) ?? (option && assistants.choiceOf(option));
  }

  /** The first choice for the query as it is typed, also where the list lags behind. */
  function best(): Choice | null | undefined {
    const option = models.best();
    return specs.best() ?? (option && assistants.choiceOf(option));
  }

  return { catalog, specs, models, assistants, choiceOf, best };
}
