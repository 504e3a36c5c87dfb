import { PROVIDER_KINDS } from '@parley/schema/catalog/provider-kinds';
import type { Config } from '../../config/config.ts';
import { createEgress, type Egress } from '../../platform/egress.ts';

/** What the providers of administrators answer at addresses of their own, which the page offers: not for a guess. */
const KNOWN_HOSTS = PROVIDER_KINDS.flatMap(({ baseURL }) => (baseURL ? [new URL(baseURL).host] : []));

/** For the addresses that administrators give. */
export function createSavedEgress(config: Pick<Config, 'server' | 'endpoints'>): Egress {
  return createEgress(exemptHosts(config), undefined, KNOWN_HOSTS);
}

/**
 * The hosts that the providers of administrators may call though they are not public: those that the operator names, and
 * where this server looks for an Ollama by itself.
 */
export function exemptHosts({ server, endpoints }: Pick<Config, 'server' | 'endpoints'>): string[] {
  const ollama = endpoints.ollamaURL === null ? null : new URL(endpoints.ollamaURL);
  return [...server.egressAllowedHosts, ...(ollama ? [`${ollama.hostname}:${portOf(ollama)}`] : [])];
}

function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}
