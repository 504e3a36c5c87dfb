// Settings of actions: APIs that users' assistants call.
import type { Env } from '../env/env.ts';
import type { Yaml } from '../yaml/yaml-schema.ts';

export type ActionsConfig = {
  enabled: boolean;
  /** Only these domains and their subdomains are called; null allows all. In lower case. */
  allowedDomains: string[] | null;
  /** Whether calls that a REST client asks for wait for a person's permission, too. */
  restAsks: boolean;
};

export function actionsConfig(env: Env, yaml: Yaml): ActionsConfig {
  const domains = yaml.actions?.allowedDomains;
  return {
    enabled: env.ACTIONS !== 'off',
    restAsks: env.REST_ACTIONS_ASK ?? false,
    allowedDomains: domains ? domains.map((domain) => domain.toLowerCase()) : null,
  };
}
