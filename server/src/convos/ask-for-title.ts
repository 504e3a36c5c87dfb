// Asks the endpoint's title model for a title, and charges for it.
import { cleanText } from '@parley/schema/clean-text';
import { endpointTable } from '@parley/schema/catalog/endpoints';
import { TITLE_MAX } from '@parley/schema/convos/convos';
import type { FinalEvent } from '@parley/schema/generation/events';
import { messageText, type Usage } from '@parley/schema/messages/messages';
import type { Billing } from '../billing/billing.ts';
import type { Endpoint } from '../catalog/endpoint.ts';
import { findModelMetadata } from '../catalog/model-list.ts';

/** How much of the question and the answer the model gets for a title, in characters (docs/rest-compat.md, Titles). */
const EXCERPT_MAX = 255;
/** How much of the model's output is read, in characters: far more than a title and the text around it. */
const OUTPUT_MAX = 4 * TITLE_MAX;

export interface TitleAsk {
  userId: string;
  exchange: FinalEvent;
  endpoint: Endpoint;
}

export interface TitleReply {
  /** Empty when the model's output is no title. */
  title: string;
  /** What is to be charged; null at an endpoint whose titles cost nothing. */
  call: TitleCall | null;
}

interface TitleCall {
  model: string;
  prompt: string;
  text: string;
  usage: Pick<Usage, 'input' | 'output'> | null;
}

/** @throws when the provider fails */
export async function askForTitle(ask: TitleAsk, signal: AbortSignal): Promise<TitleReply> {
  const { userId, exchange, endpoint } = ask;
  const { model: convoModel, threadIds: ids } = exchange.convo;
  // The first question may have been another model's than its conversation's.
  const model = await titleModelOf(endpoint, userId, exchange.reply.model ?? convoModel);
  if (endpoint.title) {
    return { title: tidyTitle(await endpoint.title({ userId, model, ids: ids ?? {} }, signal)), call: null };
  }
  const call = await callModel(ask, model, signal);
  return { title: tidyTitle(call.text), call };
}

export async function chargeTitle(billing: Billing, ask: TitleAsk, call: TitleCall): Promise<void> {
  const { userId, exchange, endpoint } = ask;
  const { conversationId: convoId } = exchange.convo;
  const { rates } = await findModelMetadata(endpoint, userId, call.model);
  await billing.charge({
    userId,
    convoId,
    context: 'title',
    endpoint: endpoint.name,
    endpointType: endpoint.type,
    rates,
    ...call,
  });
}

async function callModel({ userId, exchange, endpoint }: TitleAsk, model: string, signal: AbortSignal) {
  const prompt = promptOf(exchange);
  const call = {
    target: await endpoint.target(userId, model),
    model,
    settings: endpoint.titleModel.settings ?? { temperature: 0.2 },
    messages: [{ role: 'user' as const, content: prompt }],
    userId,
    maxTokens: endpoint.titleModel.maxTokens,
  };
  const output: TitleCall = { model, prompt, text: '', usage: null };
  for await (const delta of endpoint.provider(call, signal)) {
    if (delta.type === 'text') output.text += delta.text;
    if (delta.type === 'usage') output.usage = delta;
    // The rest would be unused.
    if (output.text.length > OUTPUT_MAX) break;
  }
  return output;
}

async function titleModelOf(endpoint: Endpoint, userId: string, current: string | null): Promise<string> {
  const { titles, models } = endpoint;
  const { model: usual } = endpoint.titleModel;
  const own = current ?? usual ?? endpointTable[endpoint.type].defaultModel;
  switch (titles.model.use) {
    case 'named':
      return titles.model.name;
    case 'current':
      return own;
    case 'default':
      return usual !== null && (await models(userId)).includes(usual) ? usual : own;
    default:
      return titles.model satisfies never;
  }
}

function promptOf({ request, reply }: FinalEvent): string {
  return `Write a title for this conversation in its own language: at most five words, title case, no punctuation, no quotation marks. Answer with the title alone.

User: ${messageText(request).slice(0, EXCERPT_MAX)}
Assistant: ${messageText(reply).slice(0, EXCERPT_MAX)}

Title:`;
}

/** The first line of the model's output without quotes and labels; empty when it is no title. Linear time. */
export function tidyTitle(text: string): string {
  const line = cleanText(text.slice(0, OUTPUT_MAX)).trim().split('\n')[0] ?? '';
  const said = withoutMarks(line.replace(/^title:\s*/i, '')).replace(/^["'“”«»*#\s]+/, '');
  let end = said.length;
  // A regular expression anchored at the end would rescan from every character of a run: quadratic.
  while (end > 0 && MARKS_AT_END.test(said[end - 1] ?? '')) end -= 1;
  const title = said.slice(0, end);
  return title.length > TITLE_MAX || title.startsWith('<') ? '' : title;
}

/**
 * Without the marks of Markdown that stand in pairs; what they mark stays, also a power such as 2**8 and a name such as
 * `__init__`. Each pattern ends at the next mark of its kind, so none reads a line twice.
 */
function withoutMarks(line: string): string {
  return line
    .replaceAll(/!?\[([^[\]]+)\]\([^()\s]*\)/g, '$1')
    .replaceAll(/`([^`]+)`/g, '$1')
    .replaceAll(/~~([^~]+)~~/g, '$1')
    .replaceAll(/(?<![\w*])\*\*(?=\S)([^*]+)(?<=\S)\*\*(?!\w)/g, '$1')
    .replaceAll(/(?<![\w*])\*(?=\S)([^*]+)(?<=\S)\*(?![\w*])/g, '$1')
    .replaceAll(/(?<!\w)__(?=\S)(?![a-z0-9]+__)([^_]+)(?<=\S)__(?!\w)/g, '$1')
    .replaceAll(/(?<!\w)_(?=[^\s_])([^_]+)(?<=\S)_(?!\w)/g, '$1');
}

const MARKS_AT_END = /["'“”«»*.\s]/;
