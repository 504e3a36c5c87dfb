import type { Config } from '../../config.ts';

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
