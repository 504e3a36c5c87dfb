// How a plugins conversation uses its tools: which agent, which model, and whether its reply is the reply.
import { AGENT_DEFAULTS, type AgentOptions } from '@parley/schema/catalog/params';
import { ratesOfCall } from '@parley/schema/catalog/rates';
import { AgentOptions as Checked } from '@parley/schema/settings/presets';
import { findModelMetadata } from '../../catalog/model-list.ts';
import type { ProviderTarget } from '../../providers/provider.ts';
import type { Ask } from '../begin/ask.ts';

/** Models that are known to keep to the form of the classic agent. */
const CLASSIC = /gpt-[34]/;

export interface AgentChoice extends AgentOptions {
  /** Names where its model is asked, if that is not the conversation's target. */
  target: ProviderTarget | null;
}

/**
 * Null on other endpoints. The agent's model is the conversation's where the other is not offered, or would cost more
 * than is charged: a reply is charged by the conversation's model.
 */
export async function readAgentOptions(
  { userId, endpoint, model, metadata, settings }: Pick<Ask, 'userId' | 'endpoint' | 'model' | 'metadata' | 'settings'>,
  isCharged: boolean,
): Promise<AgentChoice | null> {
  if (endpoint.type !== 'gptPlugins') return null;
  const options = Checked.safeParse(settings.agentOptions).data ?? AGENT_DEFAULTS;
  const mayBeOther = options.model !== model && (!isCharged || (await isCheapEnough()));
  const agentModel = mayBeOther && (await endpoint.models(userId)).includes(options.model) ? options.model : model;
  const agent = CLASSIC.test(agentModel) ? options.agent : 'functions';
  const target = agentModel === model ? null : await endpoint.target(userId, agentModel);
  return { ...options, model: agentModel, agent, target };

  async function isCheapEnough(): Promise<boolean> {
    const own = ratesOfCall({ endpointType: endpoint.type, model, rates: metadata.rates });
    const { rates } = await findModelMetadata(endpoint, userId, options.model);
    const other = ratesOfCall({ endpointType: endpoint.type, model: options.model, rates });
    return other.prompt <= own.prompt && other.completion <= own.completion;
  }
}
