// The one owner of all that is under way between this browser and the server: deliveries of asks, readings of replies,
// and the order of asks within a conversation.
import type { Convo } from '@parley/schema/convos';
import type { FinalEvent } from '@parley/schema/events';
import type { Message } from '@parley/schema/messages';
import type { Reason } from '@parley/schema/reasons';
import { follow as read } from './attach.ts';
import { deliver } from './deliver.ts';
import {
  dropExchange,
  exchangesAtom,
  findExchange,
  findRunning,
  isRunning,
  listExchanges,
  markExchange,
  putExchange,
  showReply,
  type Store,
} from './exchange.ts';
import type { Outbox, Waiting } from './outbox.ts';
import type { Asking } from './send.ts';
import type { Asked, Wire } from './wire.ts';

export interface ExchangesDeps {
  wire: Wire;
  store: Store;
  outbox: Outbox;
  /** Takes the end of an exchange into the cache; afterwards the screen can do without the exchange. */
  settle(event: FinalEvent): Promise<void>;
  /** The conversation exists, or has changed. */
  onConvo(convo: Convo): void;
  /** The server has more, or less, than what is in the cache. */
  refresh(conversationId: string): void;
  /** Offers the text of an ask that was not taken, if it has any, back to its box. False when there is no room in it. */
  giveBack(asking: Asking): boolean;
  onEnded(event: FinalEvent): void;
  onStopFailed(error: unknown): void;
  /** An answer that is being written may not be read here. */
  onReadingRefused(reason: Reason): void;
}

export interface Exchanges {
  /** Asks, after whatever else waits in the same conversation. */
  send(asking: Asking): void;
  /** Takes up what an earlier visit left in the outbox, except what is under way already. */
  restoreAll(): void;
  /** Reads a generation that was started elsewhere. `reply` and its question are shown until the server speaks. */
  follow(generationId: string, conversationId: string, known?: { request: Message; reply: Message }): void;
  /** Once per exchange; one that has not reached the server is withdrawn. */
  stop(generationId: string): Promise<void>;
  /** Takes the failed exchanges of a conversation off the screen. */
  dismissFailed(conversationId: string): void;
  /** What was asked by an exchange of this page. */
  findAsking(generationId: string): Asking | undefined;
  isFollowing(generationId: string): boolean;
  /** Ends all readings and deliveries. What was not acknowledged stays in the outbox. */
  close(): void;
}

/** One exchange under way. */
interface Course {
  generationId: string;
  conversationId: string;
  /** Null when it was asked elsewhere. */
  asking: Asking | null;
  /** The server has it. */
  isAccepted: boolean;
  /** Whether it may have reached the server. */
  isAttempted: boolean;
  /** Aborts the delivery; null before it began. */
  delivery: AbortController | null;
  endReading: (() => void) | null;
}

export function createExchanges(deps: ExchangesDeps): Exchanges {
  const { wire, store, outbox } = deps;
  const courses = new Map<string, Course>();
  const refused = new Map<string, Asking>();
  /** Generations whose reading was refused for good: the conversation shows what is stored of them. */
  const unreadable = new Set<string>();

  return {
    send(asking) {
      outbox.put(asking);
      enqueue(asking);
    },
    restoreAll: () => outbox.list().forEach(restore),
    follow(generationId, conversationId, known) {
      if (courses.has(generationId) || unreadable.has(generationId)) return;
      const course = begin(generationId, conversationId, null);
      if (known) putExchange(store, { status: 'streaming', generationId, conversationId, ...known });
      startReading(course);
    },
    stop,
    dismissFailed(conversationId) {
      for (const { status, generationId } of listExchanges(store, conversationId)) {
        if (status !== 'failed') continue;
        refused.delete(generationId);
        outbox.remove(generationId);
        dropExchange(store, generationId);
      }
    },
    findAsking: (generationId) => courses.get(generationId)?.asking ?? refused.get(generationId),
    isFollowing: (generationId) => courses.has(generationId),
    close() {
      for (const course of courses.values()) end(course);
      for (const generationId of store.get(exchangesAtom).keys()) dropExchange(store, generationId);
      refused.clear();
    },
  };

  function restore({ asking, refused: reason }: Waiting): void {
    const { generationId } = asking.ask;
    if (courses.has(generationId) || refused.has(generationId)) return;
    if (reason) showFailed(asking, reason);
    else enqueue(asking);
  }

  function enqueue(asking: Asking): void {
    const { generationId, conversationId } = asking.ask;
    begin(generationId, conversationId, asking);
    const { request, reply } = asking;
    putExchange(store, { status: 'queued', generationId, conversationId, request, reply });
    advance(conversationId);
  }

  /** Starts the first exchange of a conversation, if it still waits for its turn. */
  function advance(conversationId: string): void {
    const first = findRunning(store, conversationId);
    const course = first && courses.get(first.generationId);
    if (!course?.asking || course.delivery) return;
    startReading(course);
    void startDelivery(course, course.asking);
  }

  async function startDelivery(course: Course, asking: Asking): Promise<void> {
    const { generationId } = course;
    const delivery = new AbortController();
    course.delivery = delivery;
    try {
      const outcome = await deliver(wire, asking.ask, delivery.signal, {
        onAttempt: () => onAttempt(course),
        onWait: (why) => (course.isAccepted ? delivery.abort() : mark(generationId, 'queued', why)),
      });
      if (outcome.type === 'accepted') accept(course, outcome.asked);
      else if (!course.isAccepted) refuse(course, asking, outcome.reason);
    } catch (error) {
      if (!delivery.signal.aborted) throw error;
    }
  }

  function onAttempt(course: Course): void {
    course.isAttempted = true;
    mark(course.generationId, 'starting');
  }

  /** A stop that is on its way stays visible until the end. */
  function mark(generationId: string, status: 'queued' | 'starting', why: Reason | null = null): void {
    if (findExchange(store, generationId)?.status !== 'stopping') markExchange(store, generationId, status, why);
  }

  /** The server has the ask: it says so in its answer and in the first event of the reading, whichever comes first. */
  function accept(course: Course, { request, reply, convo }: Omit<Asked, 'generationId'>): void {
    if (!courses.has(course.generationId)) return;
    if (!course.isAccepted) {
      const { generationId, conversationId } = course;
      course.isAccepted = true;
      outbox.remove(generationId);
      const status = findExchange(store, generationId)?.status === 'stopping' ? 'stopping' : 'streaming';
      putExchange(store, { status, generationId, conversationId, request, reply });
      deps.onConvo(convo);
    }
    if (!course.endReading) startReading(course);
  }

  function refuse(course: Course, asking: Asking, reason: Reason): void {
    end(course);
    showFailed(asking, reason);
    if (deps.giveBack(asking)) outbox.remove(course.generationId);
    else outbox.put(asking, reason);
    // What this page knows of the conversation may be what the server contradicts.
    if (reason.type === 'conflict' || reason.type === 'not_found') deps.refresh(course.conversationId);
    advance(course.conversationId);
  }

  function showFailed(asking: Asking, reason: Reason): void {
    const { generationId, conversationId } = asking.ask;
    refused.set(generationId, asking);
    const reply = { ...asking.reply, reason, unfinished: false };
    putExchange(store, { status: 'failed', generationId, conversationId, reason, request: asking.request, reply });
  }

  function startReading(course: Course): void {
    course.endReading = read(wire, course.generationId, {
      onCreated: (event) => accept(course, event),
      onReply: (reply) => showReply(store, course.generationId, reply),
      onFinal: (event) => void finish(course, event),
      onRefused: (reason) => onReadingRefused(course, reason),
    });
  }

  /** Before the ask has arrived that is no surprise: reading starts again once it was accepted. */
  function onReadingRefused(course: Course, reason: Reason): void {
    course.endReading = null;
    if (course.asking && !course.isAccepted) return;
    end(course);
    if (reason.type !== 'not_found') {
      unreadable.add(course.generationId);
      deps.onReadingRefused(reason);
    }
    dropExchange(store, course.generationId);
    deps.refresh(course.conversationId);
    advance(course.conversationId);
  }

  async function finish(course: Course, event: FinalEvent): Promise<void> {
    if (!courses.has(course.generationId)) return;
    end(course);
    outbox.remove(course.generationId);
    await deps.settle(event);
    dropExchange(store, course.generationId);
    deps.onEnded(event);
    advance(course.conversationId);
  }

  async function stop(generationId: string): Promise<void> {
    const exchange = findExchange(store, generationId);
    const course = courses.get(generationId);
    if (!course || !exchange || !isRunning(exchange) || exchange.status === 'stopping') return;
    if (exchange.status === 'queued' && course.asking) return withdraw(course, course.asking);
    markExchange(store, generationId, 'stopping');
    try {
      const final = await wire.abort(generationId);
      if (final) await finish(course, final);
    } catch (error) {
      markExchange(store, generationId, exchange.status);
      deps.onStopFailed(error);
    }
  }

  /** Nobody has answered the ask so far. Should it have arrived all the same, the stop goes after it. */
  function withdraw(course: Course, asking: Asking): void {
    end(course);
    outbox.remove(course.generationId);
    dropExchange(store, course.generationId);
    deps.giveBack(asking);
    if (course.isAttempted) void wire.abort(course.generationId).catch(() => {});
    advance(course.conversationId);
  }

  function begin(generationId: string, conversationId: string, asking: Asking | null): Course {
    const course: Course = {
      generationId,
      conversationId,
      asking,
      isAccepted: false,
      isAttempted: false,
      delivery: null,
      endReading: null,
    };
    courses.set(generationId, course);
    return course;
  }

  function end(course: Course): void {
    courses.delete(course.generationId);
    course.endReading?.();
    course.delivery?.abort();
  }
}
