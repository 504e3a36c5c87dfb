// What drafts say, without the schema library: the first screen compares them.
import type { Draft } from './drafts.ts';

type Content = Pick<Draft, 'text' | 'files'>;

/** Whether two drafts say the same with the same files. */
export function isSameDraft(one: Content, other: Content): boolean {
  const idsOf = ({ files = [] }: Content) => files.map(({ fileId }) => fileId).join();
  return one.text === other.text && idsOf(one) === idsOf(other);
}

export function isEmptyDraft({ text, files = [] }: Content): boolean {
  return text === '' && files.length === 0;
}
