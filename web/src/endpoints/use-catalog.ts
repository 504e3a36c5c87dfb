import { useMemo } from 'react';
import { useStartup } from '../startup.ts';
import { trpc } from '../trpc.ts';
import type { Catalog } from '../catalog/choose-model.ts';

/** What this server offers. Undefined while loading. */
export function useCatalog(): Catalog | undefined {
  const options = { staleTime: Infinity };
  const endpoints = trpc.endpoints.list.useQuery(undefined, options).data;
  const models = trpc.endpoints.models.useQuery(undefined, options).data;
  const enabled = useStartup()?.modelSpecsEnabled === true;
  const { data: specs, isPending } = trpc.presets.specs.useQuery(undefined, { ...options, enabled });
  return useMemo(() => {
    if (!endpoints || !models || (enabled && isPending)) return undefined;
    return { endpoints, models, ...(specs && { specs }) };
  }, [endpoints, models, specs, enabled, isPending]);
}
