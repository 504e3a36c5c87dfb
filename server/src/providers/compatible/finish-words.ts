// Why an answer ended, by the words of servers that follow a protocol loosely.
import type { FinishReason } from '@parley/schema/messages/messages';
import type { Delta } from '../../generation/delta.ts';
import { refuse } from '../../platform/errors.ts';

type Ended = Exclude<FinishReason, 'incomplete'>;

/** They end an answer that is not whole, also as a part of another word. */
const FAILURES = /(?:^|_)(?:error|err|fail|failed|failure|abort|aborted|timeout|cancelled|canceled|malformed)(?:_|$)/;

/** The words of each kind. A word that begins with one of them and goes on after `_` is of its kind, too. */
const WORDS: readonly [Ended, readonly string[]][] = [
  [
    'content_filter',
    [
      'content_filter',
      'content_filtered',
      'filter',
      'filtered',
      'refusal',
      'refused',
      'safety',
      'recitation',
      'blocked',
      'blocklist',
      'prohibited_content',
      'spii',
      'sensitive',
      'moderation',
      'guardrail',
      'guardrail_intervened',
    ],
  ],
  [
    'length',
    [
      'length',
      'length_limit',
      'stop_length',
      'limit',
      'max_tokens',
      'max_token',
      'max_length',
      'max_output_tokens',
      'max_completion_tokens',
      'max_new_tokens',
      'model_length',
      'model_context_window_exceeded',
      'context_length',
      'context_window',
      'token_limit',
      'truncated',
    ],
  ],
  [
    'tool_calls',
    ['tool_calls', 'tool_call', 'tool_use', 'tool', 'tools', 'function_call', 'function_calls', 'function'],
  ],
  [
    'stop',
    [
      'stop',
      'stopped',
      'stop_sequence',
      'eos',
      'eot',
      'eos_token',
      'end',
      'ended',
      'end_turn',
      'end_of_text',
      'end_of_turn',
      'im_end',
      'endoftext',
      'complete',
      'completed',
      'done',
      'finish',
      'finished',
      'success',
      'normal',
    ],
  ],
];

const KINDS = new Map(WORDS.flatMap(([kind, words]) => words.map((word) => [word, kind] as const)));

/** `MAX_TOKENS`, `maxTokens`, `FINISH_REASON_MAX_TOKENS` and `<|max tokens|>` are one word. */
function plainWord(word: string): string {
  return word
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$|^_?(?:finish|stop)_?reason_/g, '');
}

/**
 * Why an answer ended; null for a word that says, or may say, that it is not whole. An unknown suffix does not count:
 * `max_tokens_reached`.
 */
export function readFinishWord(said: string): Ended | null {
  const word = plainWord(said);
  if (FAILURES.test(word)) return null;
  for (let known = word; known !== ''; known = known.slice(0, Math.max(known.lastIndexOf('_'), 0))) {
    const kind = KINDS.get(known);
    if (kind) return kind;
  }
  return null;
}

/** Words that some servers send with each piece until the end. */
const UNDECIDED = new Set(['', 'null', 'none', 'unspecified', 'in_progress']);

/** How one answer ended: what its stream says in its pieces, and how the stream itself ends. */
export interface Ending {
  /** The reason for a word of the server; null while there is none, and for words that are no success. */
  read(word: unknown): Ended | null;
  /** Text or a call, which make an answer whole that ends without a word. */
  noteOutput(kind: 'stop' | 'tool_calls'): void;
  /**
   * The end of the stream. `isMarked`: it ended with `[DONE]`.
   * @throws Refusal for an answer that the server gave up
   */
  settle(isMarked: boolean): Generator<Delta>;
}

export function createEnding(): Ending {
  let last: 'known' | 'unknown' | null = null;
  let output: 'stop' | 'tool_calls' | null = null;
  return {
    read(word) {
      if (word === null || word === undefined || word === false) return null;
      const said = typeof word === 'string' ? word : JSON.stringify(word);
      if (UNDECIDED.has(plainWord(said))) return null;
      const known = readFinishWord(said);
      last = known ? 'known' : 'unknown';
      return known;
    },
    noteOutput(kind) {
      if (output !== 'tool_calls') output = kind;
    },
    *settle(isMarked) {
      if (last === 'unknown') refuse({ type: 'provider_broke_off' });
      if (last === null && isMarked && output) yield { type: 'finish', reason: output };
    },
  };
}
