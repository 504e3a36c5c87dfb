import { useMemo } from 'react';
import { trpc } from '../trpc.ts';
import type { Catalog } from '../catalog/choose-model.ts';

/** What this server offers. Undefined while loading. */
export function useCatalog(): Catalog | undefined {
  const options = { staleTime: Infinity };
  const endpoints = trpc.endpoints.list.useQuery(undefined, options).data;
  const models = trpc.endpoints.models.useQuery(undefined, options).data;
  return useMemo(() => (endpoints && models ? { endpoints, models } : undefined), [endpoints, models]);
}
