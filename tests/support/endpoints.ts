// Endpoints made from a configuration, as the server makes them, but called without the server.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '@parley/schema/catalog/params';
import { loadConfig } from '@parley/server/load-config';
import { createEgress, type Egress } from '@parley/server/platform/egress';
import type { Endpoints } from '@parley/server/catalog/endpoint';
import { createKnownRefusals } from '@parley/server/providers/compatible/refusals';
import type { ChatMessage, ThreadPosition } from '@parley/server/providers/provider';
import type { ToolSpec } from '@parley/server/providers/tool-spec';
import { createEndpoints } from '@parley/server/catalog/registry';
import type { UserKey } from '@parley/server/providers/user-key';
import { Refusal } from '@parley/server/platform/errors';
import { defaultTimings, type Timings } from '@parley/server/config/timings';
import { tunnelTo } from '@parley/server/platform/outbound-proxy';
import type { Delta } from '@parley/server/generation/delta';
import type { FinishReason, Signature, ToolCall } from '@parley/schema/messages/messages';
import type { Reason } from '@parley/schema/reasons';
import type { ProviderThread } from '@parley/schema/chat/provider-thread';
import { refuse } from '@parley/server/platform/errors';
import { createFolder } from './folders.ts';

export interface Setup {
  env?: Record<string, string>;
  /** The configuration file after its version line. */
  yaml?: string;
  userKey?: UserKey;
  egress?: Egress;
  notices?: string[];
  timings?: Partial<Timings>;
}

export async function openEndpoints({
  env = {},
  yaml,
  userKey = async (_userId, endpoint) => refuse({ type: 'no_user_key', endpoint }),
  egress,
  notices = [],
  timings,
}: Setup): Promise<Endpoints> {
  const cwd = createFolder();
  if (yaml !== undefined) writeFileSync(join(cwd, 'parley.yaml'), `version: 1.0.7\n${yaml}`);
  const config = await loadConfig({ env, cwd });
  const site = { url: 'https://parley.example', title: 'Our Parley' };
  const onNotice = (text: string) => void notices.push(text);
  const { egressAllowedHosts, outboundProxy } = config.server;
  const deps = {
    site,
    userKey,
    egress: egress ?? createEgress(egressAllowedHosts),
    savedEgress: createEgress(egressAllowedHosts),
    tunnelTo: (address: string) => tunnelTo(address, outboundProxy),
    refusals: createKnownRefusals({ onLearned: onNotice }),
    onNotice,
    timings: { ...defaultTimings, ...timings },
  };
  const offered = createEndpoints(config, { demo: null, ollama: null }, deps);
  return {
    list: () => offered.endpoints,
    assert: (name) =>
      offered.endpoints.find((one) => one.name === name) ?? refuse({ type: 'not_found', what: 'endpoint' }),
    providers: () => offered.providers,
    modelSpecs: () => offered.modelSpecs,
    restPaths: () => offered.restPaths,
  };
}

export interface Question {
  endpoint: string;
  model: string;
  messages: ChatMessage[];
  summary?: string;
  settings?: Settings;
  signal?: AbortSignal;
  thread?: ThreadPosition;
  tools?: readonly ToolSpec[];
  toolChoice?: 'none';
}

export interface Heard {
  text: string;
  reasoning: string;
  /** By id, with the latest values and what the provider signed with them. */
  tools: Map<string, ToolCall>;
  /** The others. */
  signatures: Signature[];
  usage: { input: number; output: number } | null;
  /** The latest values. */
  thread: ProviderThread | null;
  finish: FinishReason | null;
  reason: Reason | null;
}

/** Calls an endpoint and reads its answer to the end. `onDelta` gets each piece. */
export async function hear(
  endpoints: Endpoints,
  question: Question,
  onDelta: (delta: Delta) => void = () => undefined,
): Promise<Heard> {
  const { signal = AbortSignal.timeout(30_000), settings = {}, model, messages, summary, thread } = question;
  const { tools, toolChoice } = question;
  const heard: Heard = {
    text: '',
    reasoning: '',
    tools: new Map(),
    signatures: [],
    usage: null,
    thread: null,
    finish: null,
    reason: null,
  };
  try {
    const endpoint = endpoints.assert(question.endpoint);
    const target = await endpoint.target('alice', model);
    const call = {
      target,
      model,
      settings,
      messages,
      ...(summary && { summary }),
      userId: 'alice',
      thread,
      ...(tools && { tools }),
      ...(toolChoice && { toolChoice }),
    };
    for await (const delta of endpoint.provider(call, signal)) {
      onDelta(delta);
      take(delta, heard);
    }
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
    case 'input': {
      const call = heard.tools.get(delta.id);
      if (call) heard.tools.set(delta.id, { ...call, input: call.input + delta.text });
      return;
    }
    case 'signature': {
      const call = delta.id === undefined ? undefined : heard.tools.get(delta.id);
      if (call) heard.tools.set(call.id, { ...call, seal: delta.signature });
      else heard.signatures.push(delta.signature);
      return;
    }
    case 'log':
    case 'made':
    case 'picture':
    case 'place':
    case 'working':
    case 'context':
    case 'asked':
    case 'asking':
      return;
    case 'thread':
      heard.thread = delta.thread;
      return;
    case 'finish':
      heard.finish = delta.reason;
      return;
    default:
      delta satisfies never;
  }
}
