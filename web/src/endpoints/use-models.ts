import { modelsOf } from '../catalog/choose-model.ts';
import { useCatalog } from './use-catalog.ts';

/** The models of an endpoint. None while loading. */
export function useModels(endpoint: string): readonly string[] {
  const catalog = useCatalog();
  return catalog ? modelsOf(endpoint, catalog) : [];
}
