// A provider that an administrator added, as the definitions read it.
import type { SavedType } from '@parley/schema/catalog/provider-kinds';
import type { ProviderConfig } from '@parley/schema/catalog/saved-providers';

export interface SavedProvider extends Readonly<ProviderConfig> {
  /** Of its endpoint: the type of a built-in one. */
  name: string;
  type: SavedType;
  /** Undefined where it needs none. */
  apiKey: string | undefined;
}

export interface PlacedProvider extends SavedProvider {
  /** Its position in the endpoint menu, lowest first. */
  order: number;
}

/** The models that are offered instead of those of the provider's list; undefined where that is fetched. */
export function fixedModels({ models, fetchModels }: ProviderConfig): string[] | undefined {
  return fetchModels || models.length === 0 ? undefined : [...models];
}
