import { findPictureModel, type PictureModel } from '@parley/schema/pictures/models';
import { listEndpoints, type Catalog, type Choice } from '../../catalog/choose-model.ts';
import { useCatalog } from '../use-catalog.ts';

/** What the model can do where it makes pictures; null for others, and while nobody knows. */
export function usePictureModel(to: Pick<Choice, 'endpoint' | 'model'> | null | undefined): PictureModel | null {
  const catalog = useCatalog();
  const config = to ? catalog?.endpoints[to.endpoint] : undefined;
  return config && to ? findPictureModel(config, to.model) : null;
}

export function isPictureModel(
  catalog: Catalog | undefined,
  { endpoint, model }: Pick<Choice, 'endpoint' | 'model'>,
): boolean {
  const config = catalog?.endpoints[endpoint];
  return config !== undefined && findPictureModel(config, model) !== null;
}

/** The first model that makes pictures, of this endpoint if it has one; null where none does. */
export function choosePictureModel(
  catalog: Catalog | undefined,
  own: string | undefined,
  fits: (model: PictureModel) => boolean = () => true,
): Choice | null {
  if (!catalog) return null;
  const endpoints = listEndpoints(catalog.endpoints);
  const ordered = [...endpoints.filter((name) => name === own), ...endpoints.filter((name) => name !== own)];
  for (const endpoint of ordered) {
    const config = catalog.endpoints[endpoint];
    const model = catalog.models[endpoint]?.find((one) => {
      const can = config && findPictureModel(config, one);
      return can && fits(can);
    });
    if (model !== undefined) return { endpoint, model };
  }
  return null;
}
