import { useStore } from 'jotai';
import { memo, startTransition, useLayoutEffect, type KeyboardEvent, type RefObject } from 'react';
import { preloadMarkdown } from '../../content/lazy-markdown.tsx';
import { autosize } from './autosize.ts';
import type { DraftAtom } from '../drafts/drafts.ts';

interface DraftBoxProps {
  draft: DraftAtom;
  ref: RefObject<HTMLTextAreaElement | null>;
  id: string;
  className: string | undefined;
  label: string;
  isEmpty: boolean;
  isDisabled: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * The box of a draft. The browser holds its text and the draft follows in the same moment, but whatever is drawn from the
 * draft is drawn later: nobody's keys wait for the page.
 */
export const DraftBox = memo(function DraftBox(props: DraftBoxProps) {
  const { draft, ref, id, className, label, isEmpty, isDisabled, onKeyDown } = props;
  const store = useStore();

  useLayoutEffect(() => {
    function show(): void {
      const area = ref.current;
      if (!area) return;
      const text = store.get(draft);
      if (area.value !== text) area.value = text;
      autosize(area);
    }
    show();
    return store.sub(draft, show);
  }, [store, draft, ref]);

  return (
    <textarea
      ref={ref}
      id={id}
      className={className}
      data-testid="text-input"
      rows={1}
      // Of an empty text nobody can tell the direction: it has that of the page.
      dir={isEmpty ? undefined : 'auto'}
      defaultValue={store.get(draft)}
      disabled={isDisabled}
      placeholder={label}
      aria-label={label}
      onChange={({ currentTarget: { value } }) => {
        startTransition(() => store.set(draft, value));
        // Whoever writes will soon read.
        void preloadMarkdown();
      }}
      onKeyDown={onKeyDown}
    />
  );
});
