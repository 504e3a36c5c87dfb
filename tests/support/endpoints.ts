// Endpoints made from a configuration, as the server makes them, and asked without the server around them.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@parley/schema/params';
import { loadConfig } from '@parley/server/config';
import { createEgress, type Egress } from '@parley/server/egress';
import type { Endpoints } from '@parley/server/endpoints/endpoint';
import type { ChatMessage, UpstreamPlace } from '@parley/server/endpoints/provider';
import { createEndpoints } from '@parley/server/endpoints/registry';
import { noUserKeys, type UserKey } from '@parley/server/endpoints/user-key';
import { Refusal } from '@parley/server/errors';
import { tunnelTo } from '@parley/server/outbound';
import type { Delta } from '@parley/server/generation/delta';
import type { FinishReason, ToolCall } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import type { Upstream } from '@parley/schema/upstream';
import { createFolder } from './folders.ts';

export interface Setup {
  env?: Record<string, string>;
  /** What follows the version line. */
  yaml?: string;
  userKey?: UserKey;
  egress?: Egress;
  notices?: string[];
}

export async function openEndpoints({
  env = {},
  yaml,
  userKey = noUserKeys,
  egress,
  notices = [],
}: Setup): Promise<Endpoints> {
  const cwd = createFolder();
  if (yaml !== undefined) writeFileSync(join(cwd, 'parley.yaml'), `version: 1.0.7\n${yaml}`);
  const config = await loadConfig({ env, cwd });
  const site = { url: 'https://parley.example', title: 'Our Parley' };
  const onNotice = (text: string) => void notices.push(text);
  const { egressAllowedHosts, outboundProxy } = config.server;
  const surroundings = {
    site,
    userKey,
    egress: egress ?? createEgress(egressAllowedHosts),
    tunnelTo: (address: string) => tunnelTo(address, outboundProxy),
    onNotice,
  };
  return createEndpoints(config, { demo: null, ollama: null }, surroundings);
}

export interface Question {
  endpoint: string;
  model: string;
  messages: ChatMessage[];
  summary?: string;
  settings?: Settings;
  signal?: AbortSignal;
  upstreamPlace?: UpstreamPlace;
}

export interface Heard {
  text: string;
  reasoning: string;
  /** By id, as last told. */
  tools: Map<string, ToolCall>;
  usage: { input: number; output: number } | null;
  /** As last told. */
  upstream: Upstream | null;
  finish: FinishReason | null;
  reason: Reason | null;
}

/** Asks an endpoint and hears its answer to the end. */
export async function hear(endpoints: Endpoints, question: Question): Promise<Heard> {
  const { signal = AbortSignal.timeout(30_000), settings = {}, model, messages, summary, upstreamPlace } = question;
  const heard: Heard = {
    text: '',
    reasoning: '',
    tools: new Map(),
    usage: null,
    upstream: null,
    finish: null,
    reason: null,
  };
  try {
    const endpoint = endpoints.assert(question.endpoint);
    const upstream = await endpoint.upstream('alice', model);
    const call = { upstream, model, settings, messages, ...(summary && { summary }), userId: 'alice', upstreamPlace };
    for await (const delta of endpoint.provider(call, signal)) take(delta, heard);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    heard.reason = error.reason;
  }
  return heard;
}

function take(delta: Delta, heard: Heard): void {
  switch (delta.type) {
    case 'text':
    case 'reasoning':
      heard[delta.type] += delta.text;
      return;
    case 'rewrite':
      heard.text = delta.text;
      return;
    case 'tool':
      heard.tools.set(delta.call.id, delta.call);
      return;
    case 'usage':
      heard.usage = { input: delta.input, output: delta.output };
      return;
    case 'upstream':
      heard.upstream = delta.upstream;
      return;
    case 'finish':
      heard.finish = delta.reason;
      return;
    default:
      delta satisfies never;
  }
}
