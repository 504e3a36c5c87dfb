import { endpointModels } from '../catalog/choose-model.ts';
import { useStartup } from '../startup.ts';
import { useCatalog } from './use-catalog.ts';

/** The models that an agent of the endpoint may have: none while loading, null where this server uses no tools. */
export function useAgentModels(endpoint: string): readonly string[] | null {
  const catalog = useCatalog();
  const areOff = useStartup()?.toolsEnabled === false;
  if (areOff) return null;
  return catalog ? endpointModels(endpoint, catalog) : [];
}
