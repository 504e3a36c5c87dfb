// Tests of this room: tests/e2e/pictures.

import { findPictureModel } from '@parley/schema/pictures/models';
import { listEndpoints, type Catalog, type Choice } from '../catalog/choose-model.ts';

/** A model that answers in words, of this endpoint if it has one. */
export function chooseTextModel(catalog: Catalog | undefined, own: string | undefined): Choice | null {
  if (!catalog) return null;
  for (const endpoint of new Set([...(own === undefined ? [] : [own]), ...listEndpoints(catalog.endpoints)])) {
    const config = catalog.endpoints[endpoint];
    const model = config && catalog.models[endpoint]?.find((one) => !findPictureModel(config, one));
    if (model !== undefined) return { endpoint, model };
  }
  return null;
}
