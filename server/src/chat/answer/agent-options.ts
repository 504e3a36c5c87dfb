// How a plugins conversation uses its tools: which agent, which model, and whether its answer is the reply.
import type { AgentOptions } from '@parley/schema/catalog/params';
import { ratesOf } from '@parley/schema/catalog/rates';
import { AgentOptions as Checked } from '@parley/schema/settings/presets';
import type { ProviderTarget } from '../../providers/provider.ts';
import type { Ask } from '../ask-messages.ts';

/** Models that are known to keep to the form of the classic agent. */
const CLASSIC = /gpt-[34]/;

export interface ChosenAgent extends AgentOptions {
  /** Where its model is asked, if that is another one than the conversation's. */
  target: ProviderTarget | null;
}

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
}: Pick<Ask, 'userId' | 'endpoint' | 'model' | 'metadata' | 'settings'>): Promise<ChosenAgent | null> {
  const { data } = Checked.safeParse(settings.agentOptions);
  if (endpoint.type !== 'gptPlugins' || !data) return null;
  const agentModel = isCheapEnough() && (await isOffered()) ? data.model : model;
  const agent = CLASSIC.test(agentModel) ? data.agent : 'functions';
  const target = agentModel === model ? null : await endpoint.target(userId, agentModel);
  return { ...data, model: agentModel, agent, target };

  function isCheapEnough(): boolean {
    const own = ratesOf(endpoint.type, model, metadata.rates);
    const other = ratesOf(endpoint.type, data?.model ?? model);
    return other.prompt <= own.prompt && other.completion <= own.completion;
  }

  async function isOffered(): Promise<boolean> {
    return data?.model !== undefined && (await endpoint.models(userId)).includes(data.model);
  }
}
