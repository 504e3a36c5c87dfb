import type { StartupConfig } from '@parley/schema/catalog/startup';
import { parseJson } from '@parley/schema/json';
import { setCurrency } from './lib/format-number.ts';
import { trpc } from './trpc.ts';

/** The type after JSON, which leaves out undefined values. */
export type Startup = Omit<StartupConfig, 'openidImageUrl'> & { openidImageUrl?: string };

/** The site's public configuration: name, sign-in methods, links. Undefined while loading. */
export function useStartup(): Startup | undefined {
  const { data } = trpc.endpoints.startup.useQuery(undefined, { initialData: inlined, staleTime: Infinity });
  if (data) setCurrency(data.currency);
  return data;
}

/** The server may inline the response into the page, which saves a round trip on the first screen. */
function inlined(): Startup | undefined {
  return parseJson(document.getElementById('startup')?.textContent ?? '') as Startup | undefined;
}
