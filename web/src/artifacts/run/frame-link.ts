// The page's end of a running artifact: what it is told, and when the artifact is ended.
//
// All that counts comes over a port which only `public/artifact/frame.js` holds. What the program sends to the window of the
// page is counted and never read: reading it would cost as much as the program likes.
import type { ArtifactKind } from '@parley/schema/artifacts/artifact-kind';
import { readNews, type FrameNews, type FrameSigns } from './frame-news.ts';
import { createNewsGate } from './news-gate.ts';

// Keeps the keyboard in the field that its person has put it in. A frame may take the focus at any time, by a timer too;
// browsers have nothing against it. So the frame is told when it may hear keys: `public/artifact/frame.js` keeps them from
// the program whenever a field of the page had the focus and nobody went from it into the frame, by a press, Tab or F6.
// Such a focus is brought back, and the program is ended.

/** Milliseconds after Tab, F6 or a press in which the focus may follow. */
const FOLLOWS_MS = 500;

/** Milliseconds in which the frame tells the press that has moved the focus. */
const TELLS_MS = 150;

const TAKES_TEXT =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type="button"], [type="submit"], [type="reset"], [type="checkbox"], [type="radio"])';

/** Why the page has ended it. */
export type EndReason =
  /** It answers nothing any more. */
  | 'silent'
  | 'flood'
  /** It left its frame for another address. */
  | 'navigation'
  /** It took the focus from a field that its person was in. */
  | 'focus'
  /** It added entries to the history of the tab. */
  | 'history';

export interface Program {
  code: string;
  kind: ArtifactKind;
}

interface FrameListener {
  onNews: (news: FrameNews) => void;
  onEnd: (reason: EndReason) => void;
  /** Whether it may run, now that it is known whether this browser keeps it from the network. */
  onReady: (isSealed: boolean) => boolean;
}

/** Milliseconds between two questions whether it still answers. */
const PING_MS = 1_000;
/**
 * Questions in a row without an answer until it counts as stuck. Babel that translates a page, or mermaid that draws, answers
 * nothing for some seconds on a slow machine.
 */
const SILENT_PINGS = 10;
/** In a second; the frame itself sends 20 and the answers. */
const NEWS = { heard: 30, flood: 1_000 };
/** Messages to the page's window in a second, none of which is read. */
const STRAY = { heard: 0, flood: 100 };
/** Entries of the history. An app with addresses of its own makes one for each of its pages. */
const MOVES_MAX = 5;

/** Runs a program in `frame`, which has not loaded yet, until `close` is called or it is ended. */
export function runInFrame(frame: HTMLIFrameElement, program: Program, listener: FrameListener): { close: () => void } {
  const { port1: port, port2: theirs } = new MessageChannel();
  const news = createNewsGate(NEWS);
  const stray = createNewsGate(STRAY);
  const focus = guardFocus(
    frame,
    (word) => port.postMessage(word),
    () => end('focus'),
  );
  const place = { address: location.href, entries: history.length };
  let moves = 0;
  let hasLoaded = false;

  const greet = () => {
    if (hasLoaded) return end('navigation');
    hasLoaded = true;
    // Its origin is none that could be named.
    frame.contentWindow?.postMessage(null, '*', [theirs]);
  };
  const count = ({ source }: MessageEvent) => {
    if (source === null || source !== frame.contentWindow) return;
    if (stray.take(performance.now()) === 'flood') end('flood');
  };
  const silence = watchSilence(port, () => end('silent'));
  port.onmessage = ({ data }: MessageEvent) => {
    const fate = news.take(performance.now());
    if (fate === 'flood') return end('flood');
    const heard = fate === 'hear' ? readNews(data) : null;
    if (heard) hear(heard);
  };
  frame.addEventListener('load', greet);
  window.addEventListener('message', count);
  return { close };

  function hear(heard: FrameNews | FrameSigns): void {
    switch (heard.state) {
      case 'ready':
        silence.start();
        return listener.onReady(heard.isSealed) ? port.postMessage(program) : undefined;
      case 'here':
        return silence.answered(heard.ping);
      case 'pressed':
        return focus.pressed();
      case 'focused':
        return focus.focused(heard.entry);
      case 'moved':
        moves += heard.entries;
        if (moves > MOVES_MAX) end('history');
        return;
      case 'left':
        // A program cannot move the focus that is elsewhere.
        if (document.activeElement === frame) listener.onNews(heard);
        return;
      default:
        listener.onNews(heard);
    }
  }

  function close(): void {
    silence.close();
    port.close();
    focus.close();
    frame.removeEventListener('load', greet);
    window.removeEventListener('message', count);
    if (moves > 0) takeBack();
  }

  /** What it has sent already would otherwise be heard until it is gone. */
  function end(reason: EndReason): void {
    close();
    listener.onEnd(reason);
  }

  /** The entries it has added lead nowhere without it: the next "Back" is to leave this page. */
  function takeBack(): void {
    const added = Math.max(moves, history.length - place.entries);
    moves = 0;
    if (location.href === place.address) setTimeout(() => history.go(-added));
  }
}

/**
 * Asks whether the program still answers, from the time at which its frame has loaded. Questions are counted, not time: while
 * this page itself is held up, it asks none. Only the answer to a question that was asked counts.
 */
function watchSilence(port: MessagePort, onSilence: () => void) {
  let asked = 0;
  let answered = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  const ask = () => {
    // What the browser has put to sleep does not answer.
    if (document.hidden) answered = asked;
    if (asked - answered >= SILENT_PINGS) return onSilence();
    port.postMessage({ ping: ++asked });
  };
  return {
    start(): void {
      timer ??= setInterval(ask, PING_MS);
    },
    answered(ping: number): void {
      if (ping > answered && ping <= asked) answered = ping;
    },
    close: () => clearInterval(timer),
  };
}

/** What the frame is told: whether the program hears keys, from now on or while the focus of this number lasts. */
type KeyWord = { keys: false } | { keys: true; entry: number };

interface FocusGuard {
  /** A pointer was pressed within the frame, which only the frame sees. */
  pressed: () => void;
  /** The frame has got the focus, and for which time. */
  focused: (entry: number) => void;
  close: () => void;
}

/** `onTheft` is called when the focus was taken from a field: it is brought back once the frame has been removed. */
function guardFocus(frame: HTMLIFrameElement, say: (word: KeyWord) => void, onTheft: () => void): FocusGuard {
  const ending = new AbortController();
  const always = { capture: true, signal: ending.signal };
  /** The field of the page that has the focus. */
  let field: HTMLElement | null = null;
  let entry = 0;
  let mayEnterUntil = -Infinity;
  let pressedAt = -Infinity;
  let suspicion: ReturnType<typeof setTimeout> | undefined;

  goTo(fieldOf(document.activeElement));
  window.addEventListener('keydown', onKey, always);
  window.addEventListener('focusin', onFocus, always);
  window.addEventListener('focusout', () => setTimeout(onLeave), always);
  window.addEventListener('blur', look, always);
  return {
    pressed() {
      pressedAt = performance.now();
      if (suspicion !== undefined) goTo(null);
    },
    focused(now) {
      entry = now;
      if (field === null) say({ keys: true, entry });
      else look();
    },
    close() {
      clearTimeout(suspicion);
      ending.abort();
    },
  };

  /** Its person is in this field, or in none. */
  function goTo(entered: HTMLElement | null): void {
    clearTimeout(suspicion);
    suspicion = undefined;
    const isOther = (field === null) !== (entered === null);
    field = entered;
    // What was pressed before leads nowhere any more.
    if (entered) mayEnterUntil = pressedAt = -Infinity;
    if (isOther) say(entered ? { keys: false } : { keys: true, entry });
  }

  function onKey({ key }: KeyboardEvent): void {
    mayEnterUntil = key === 'Tab' || key === 'F6' ? performance.now() + FOLLOWS_MS : -Infinity;
  }

  function onFocus({ target }: FocusEvent): void {
    if (target === frame) look();
    else if (suspicion === undefined) goTo(fieldOf(target));
  }

  /** The field was left for nothing, or is gone. */
  function onLeave(): void {
    if (!ending.signal.aborted && document.activeElement === document.body) goTo(null);
  }

  /** Whether the frame has got the focus of a field, and how. */
  function look(): void {
    if (document.activeElement !== frame || suspicion !== undefined) return;
    const now = performance.now();
    if (!field?.isConnected || now <= mayEnterUntil || now - pressedAt <= FOLLOWS_MS) return goTo(null);
    suspicion = setTimeout(() => {
      onTheft();
      bringBack(field);
    }, TELLS_MS);
  }

  /** While the frame is there, it could take the focus again. */
  function bringBack(lost: HTMLElement | null): void {
    const { activeElement } = document;
    if (activeElement === frame || activeElement === document.body) lost?.focus({ preventScroll: true });
    if (frame.isConnected) setTimeout(bringBack, 0, lost);
  }
}

/** Where what is typed is text. */
function fieldOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement && target.matches(TAKES_TEXT) ? target : null;
}
