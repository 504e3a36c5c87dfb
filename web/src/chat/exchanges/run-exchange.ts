// Runs one exchange: delivers its ask and subscribes to its reply, until a refusal or the final event. Exchanges of one
// conversation run one after the other.
import type { FinalEvent, CreatedEvent, GenerationEvent } from '@parley/schema/generation/events';
import type { Reason } from '@parley/schema/reasons';
import type { AskResult, ChatApi } from './chat-api.ts';
import { dropExchange, findExchange, findRunning, markExchange, putExchange, showReply } from './exchange.ts';
import { endAsk, forgetStop, type ActiveAsk, type ExchangesState } from './exchanges-state.ts';
import type { PendingAsk } from './prepare-ask.ts';
import { unexpectedAnswer } from '../../errors/error-reason.ts';
import { pause, retryDelay, untilOnline } from '../../lib/retry.ts';
import { errorRefusal, permanentRefusal } from '../../errors/refusal.ts';
import { fold } from '@parley/schema/generation/fold';
import type { Message } from '@parley/schema/messages/messages';
import type { Frames } from './frames.ts';

const BAD_GATEWAY = 502;

export function advance(state: ExchangesState, conversationId: string): void {
  const first = findRunning(state.deps.store, conversationId);
  const ask = first && state.activeAsks.get(first.generationId);
  if (!ask?.pendingAsk || ask.delivery) return;
  startReading(state, ask);
  for (const other of othersOf(state, ask.pendingAsk)) startReading(state, other);
  void startDelivery(state, ask, ask.pendingAsk);
}

async function startDelivery(state: ExchangesState, ask: ActiveAsk, pendingAsk: PendingAsk): Promise<void> {
  const { generationId } = ask;
  const delivery = new AbortController();
  ask.delivery = delivery;
  try {
    const outcome = await deliver(state.deps.chatApi, pendingAsk, delivery.signal, {
      onAttempt: () => onAttempt(state, ask),
      onWait(why) {
        if (ask.isAccepted) delivery.abort();
        else if (isStopping(state, generationId)) withdraw(state, ask, pendingAsk);
        else markExchange(state.deps.store, generationId, 'queued', why);
      },
    });
    if (outcome.type === 'accepted') acceptAll(state, ask, outcome.result);
    else if (!ask.isAccepted) refuse(state, ask, pendingAsk, outcome.reason);
  } catch (error) {
    if (!delivery.signal.aborted) throw error;
  }
}

function onAttempt(state: ExchangesState, ask: ActiveAsk): void {
  ask.isAttempted = true;
  if (!isStopping(state, ask.generationId)) markExchange(state.deps.store, ask.generationId, 'starting', null);
}

function isStopping(state: ExchangesState, generationId: string): boolean {
  return findExchange(state.deps.store, generationId)?.status === 'stopping';
}

/** Takes back an ask without a response: its text returns to the composer. */
export function withdraw(state: ExchangesState, ask: ActiveAsk, pendingAsk: PendingAsk): void {
  endAsk(state, ask);
  dropOthers(state, pendingAsk);
  state.deps.outbox.remove(ask.generationId);
  dropExchange(state.deps.store, ask.generationId);
  state.deps.restoreDraft(pendingAsk);
  advance(state, ask.conversationId);
}

/** The columns of a question to several models; of those that are refused by themselves the replies have failed. */
function acceptAll(state: ExchangesState, lead: ActiveAsk, { others = [], ...first }: AskResult): void {
  for (const result of [first, ...others]) {
    const ask = others.length === 0 ? lead : state.activeAsks.get(result.generationId);
    if (!ask) continue;
    if (others.length === 0 || result.reply.unfinished) accept(state, ask, result);
    else void finish(state, ask, { type: 'final', ...result });
  }
}

function othersOf(state: ExchangesState, { others = [] }: PendingAsk): ActiveAsk[] {
  return others.flatMap(({ ask }) => state.activeAsks.get(ask.generationId) ?? []);
}

function dropOthers(state: ExchangesState, pendingAsk: PendingAsk): void {
  for (const other of othersOf(state, pendingAsk)) {
    endAsk(state, other);
    dropExchange(state.deps.store, other.generationId);
  }
}

function accept(
  state: ExchangesState,
  ask: ActiveAsk,
  { request, reply, convo }: Omit<AskResult, 'generationId'>,
): void {
  if (!state.activeAsks.has(ask.generationId)) return;
  if (!ask.isAccepted) {
    const { generationId, conversationId } = ask;
    ask.isAccepted = true;
    state.deps.outbox.remove(generationId);
    const isStopped = isStopping(state, generationId) || state.deps.stops.has(generationId);
    const status = isStopped ? 'stopping' : 'streaming';
    putExchange(state.deps.store, { status, generationId, conversationId, request, reply });
    state.deps.onConvo(convo);
  }
  if (!ask.endReading) startReading(state, ask);
}

function refuse(state: ExchangesState, ask: ActiveAsk, pendingAsk: PendingAsk, reason: Reason): void {
  endAsk(state, ask);
  dropOthers(state, pendingAsk);
  if (isEarly(pendingAsk, reason)) return waitLonger(state, ask);
  showFailed(state, pendingAsk, reason);
  if (state.deps.restoreDraft(pendingAsk)) state.deps.outbox.remove(ask.generationId);
  else state.deps.outbox.put(pendingAsk, reason);
  const isBeside = pendingAsk.others !== undefined || pendingAsk.ask.column !== undefined;
  // The server contradicts the cached conversation, which may be stale, or has columns that are not there.
  if (reason.type === 'conflict' || reason.type === 'not_found' || isBeside) state.deps.refresh(ask.conversationId);
  advance(state, ask.conversationId);
}

/** Another page has sent the question before it, whose answer this one has not seen yet. */
function isEarly({ ask: { target } }: PendingAsk, reason: Reason): boolean {
  return target.kind === 'send' && target.hasWaited === true && reason.type === 'conflict';
}

/** The question is in the queue still, which sends it again once this page knows more. */
function waitLonger(state: ExchangesState, { generationId, conversationId }: ActiveAsk): void {
  state.deps.outbox.remove(generationId);
  state.deps.refresh(conversationId);
  setTimeout(() => {
    // It runs meanwhile: another page has sent it.
    if (state.activeAsks.has(generationId)) return;
    dropExchange(state.deps.store, generationId);
    advance(state, conversationId);
  }, REFRESH_MS);
}

/** How long a page may take to read a conversation again. */
const REFRESH_MS = 1000;

export function showFailed(state: ExchangesState, pendingAsk: PendingAsk, reason: Reason): void {
  const { generationId, conversationId } = pendingAsk.ask;
  state.refused.set(generationId, pendingAsk);
  const reply = { ...pendingAsk.reply, reason, unfinished: false };
  putExchange(state.deps.store, {
    status: 'failed',
    generationId,
    conversationId,
    reason,
    request: pendingAsk.request,
    reply,
  });
}

export function startReading(state: ExchangesState, ask: ActiveAsk): void {
  ask.endReading = followGeneration({ chatApi: state.deps.chatApi, frames: state.frames }, ask.generationId, {
    onCreated: (event) => accept(state, ask, event),
    onReply: (reply) => showReply(state.deps.store, ask.generationId, reply),
    onFinal: (event) => void finish(state, ask, event),
    onRefused: (reason) => onReadingRefused(state, ask, reason),
  });
}

function onReadingRefused(state: ExchangesState, ask: ActiveAsk, reason: Reason): void {
  ask.endReading = null;
  if (ask.pendingAsk && !ask.isAccepted) return;
  endAsk(state, ask);
  if (reason.type !== 'not_found') {
    state.unreadable.add(ask.generationId);
    state.deps.onReadingRefused(reason);
  }
  dropExchange(state.deps.store, ask.generationId);
  state.deps.refresh(ask.conversationId);
  advance(state, ask.conversationId);
}

export async function finish(state: ExchangesState, ask: ActiveAsk, event: FinalEvent): Promise<void> {
  if (!state.activeAsks.has(ask.generationId)) return;
  endAsk(state, ask);
  state.deps.outbox.remove(ask.generationId);
  forgetStop(state, ask.generationId);
  await state.deps.applyFinal(event);
  dropExchange(state.deps.store, ask.generationId);
  state.deps.onEnded(event);
  advance(state, ask.conversationId);
}

type Delivery = { type: 'accepted'; result: AskResult } | { type: 'refused'; reason: Reason };

interface DeliveryListener {
  /** The request is about to go out. */
  onAttempt(): void;
  /** The request failed and waits for the network or the next retry; `why` is set if a server answered. */
  onWait(why: Reason | null): void;
}

/**
 * Sends an ask until the server accepts or refuses it. Every attempt uses the same ids, so that an ask whose response
 * was lost is not run twice.
 * @throws DOMException AbortError once `signal` is aborted
 */
async function deliver(
  chatApi: ChatApi,
  { ask, others }: Pick<PendingAsk, 'ask' | 'others'>,
  signal: AbortSignal,
  listener: DeliveryListener,
): Promise<Delivery> {
  for (let attempt = 0; ; attempt++) {
    await untilOnline(signal);
    listener.onAttempt();
    let unexpected: ReturnType<typeof unexpectedAnswer> = null;
    try {
      return { type: 'accepted', result: await chatApi.ask(ask, signal, others) };
    } catch (error) {
      signal.throwIfAborted();
      unexpected = unexpectedAnswer(error);
      // A proxy returns 502 or above while the server restarts. Other unexpected statuses are permanent.
      const reason = unexpected && unexpected.status < BAD_GATEWAY ? unexpected : errorRefusal(error);
      if (reason) return { type: 'refused', reason };
    }
    listener.onWait(unexpected);
    await pause(retryDelay(attempt), signal);
  }
}

// Folds the event stream of a generation into a reply.
interface FollowDeps {
  chatApi: ChatApi;
  frames: Frames;
}

interface ReplyListener {
  onCreated(event: CreatedEvent): void;
  /** The reply has new content; called when it is drawn. */
  onReply(reply: Message): void;
  /** The generation and the subscription have ended. */
  onFinal(event: FinalEvent): void;
  /** The subscription is over: the generation is unknown (not started yet, or expired), or access is denied. */
  onRefused(reason: Reason): void;
}

/**
 * Follows a generation to its end. The transport resumes after a lost connection; after a failed subscription or a
 * missing event this starts again from the beginning. Returns a function that ends it early.
 */
function followGeneration({ chatApi, frames }: FollowDeps, generationId: string, listener: ReplyListener): () => void {
  const ending = new AbortController();
  let folded: Message | null = null;
  let failures = 0;
  let detach = () => {};
  attach();
  return end;

  function attach(): void {
    let isOver = false;
    const giveUp = (error: unknown) => {
      if (isOver || ending.signal.aborted) return;
      isOver = true;
      detach();
      const reason = permanentRefusal(error);
      if (!reason) return void startAgain();
      end();
      listener.onRefused(reason);
    };
    detach = chatApi.attach(generationId, {
      onEvent: (event) => void (isOver || ending.signal.aborted || take(event, giveUp)),
      onError: giveUp,
      onEnd: () => giveUp(null),
    });
  }

  function take(event: GenerationEvent, giveUp: (error: unknown) => void): void {
    if (event.type === 'final') {
      end();
      return listener.onFinal(event);
    }
    if (event.type === 'created') {
      failures = 0;
      listener.onCreated(event);
    }
    try {
      folded = foldNext(folded, event);
      const reply = folded;
      frames.draw(generationId, () => listener.onReply(reply));
    } catch (error) {
      giveUp(error);
    }
  }

  async function startAgain(): Promise<void> {
    try {
      await pause(retryDelay(failures++), ending.signal);
      attach();
    } catch {
      // Aborted during the pause.
    }
  }

  function end(): void {
    ending.abort();
    frames.cancel(generationId);
    detach();
  }
}

/** @throws Error when something is missing before `event` */
function foldNext(folded: Message | null, event: GenerationEvent): Message {
  if (event.type === 'created') return event.reply;
  if (!folded) throw new Error(`${event.type} came before created`);
  return fold(folded, event);
}
