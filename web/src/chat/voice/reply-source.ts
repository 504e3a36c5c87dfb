import { readableText } from '@parley/schema/messages/readable-text';
import type { Message } from '@parley/schema/messages/messages';
import type { Store } from '../../lib/jotai-store.ts';
import { stopReading, wholeText, type SpokenSource } from '../../speech/read-aloud.ts';
import { exchangesAtom } from '../exchanges/exchange.ts';

/** The text of a reply while its exchange lasts. What is stopped by the person is not read to its end. */
export function replySource(store: Store, generationId: string): SpokenSource {
  const atoms = store.get(exchangesAtom).get(generationId);
  if (!atoms) return wholeText('');
  const { reply, exchange } = atoms;
  let newest = store.get(reply);
  let isWhole = false;
  return { text: () => readableText(newest), isWhole: () => isWhole, subscribe };

  function subscribe(hear: () => void): () => void {
    const ends = [
      store.sub(reply, look),
      store.sub(exchangesAtom, look),
      store.sub(exchange, () => store.get(exchange).status === 'stopping' && stopReading()),
    ];
    return () => ends.forEach((end) => end());

    function look(): void {
      newest = store.get(reply);
      isWhole = !store.get(exchangesAtom).has(generationId);
      hear();
    }
  }
}

/** The same for any reply: one that is stored is whole. */
export function messageSource(store: Store, message: Message): SpokenSource {
  const { generationId } = message;
  const isLive = generationId !== null && store.get(exchangesAtom).has(generationId);
  return isLive ? replySource(store, generationId) : wholeText(readableText(message));
}
