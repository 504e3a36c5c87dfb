// How a plugins conversation uses its tools: which agent, which model, and whether its answer is the reply.
import type { AgentOptions } from '@parley/schema/catalog/params';
import { ratesOf } from '@parley/schema/catalog/rates';
import { AgentOptions as Checked } from '@parley/schema/settings/presets';
import type { Ask } from '../ask-messages.ts';

/** Models that are known to keep to the form of the classic agent. */
const CLASSIC = /gpt-[34]/;

/**
 * Null where nothing differs from the conversation. The agent's model is the conversation's where the other is not
 * offered, or costs more: an answer is charged by the conversation's model.
 */
export async function agentOptionsOf({
  userId,
  endpoint,
  model,
  metadata,
  settings,
}: Pick<Ask, 'userId' | 'endpoint' | 'model' | 'metadata' | 'settings'>): Promise<AgentOptions | null> {
  const { data } = Checked.safeParse(settings.agentOptions);
  if (endpoint.type !== 'gptPlugins' || !data) return null;
  const agentModel = isCheapEnough() && (await isOffered()) ? data.model : model;
  return { ...data, model: agentModel, agent: CLASSIC.test(agentModel) ? data.agent : 'functions' };

  function isCheapEnough(): boolean {
    const own = ratesOf(endpoint.type, model, metadata.rates);
    const other = ratesOf(endpoint.type, data?.model ?? model);
    return other.prompt <= own.prompt && other.completion <= own.completion;
  }

  async function isOffered(): Promise<boolean> {
    return data?.model !== undefined && (await endpoint.models(userId)).includes(data.model);
  }
}
