import { useStore } from 'jotai';
import { memo, startTransition, useLayoutEffect, type KeyboardEvent, type RefObject } from 'react';
import { preloadMarkdown } from '../../content/lazy-markdown.tsx';
import { textDirection } from '../../ui/fields/text-direction.ts';
import { autosize } from '../../ui/hooks/use-autosize.ts';
import type { DraftAtom } from '../drafts/draft-store.ts';
import classes from './composer.module.css';
import type { BoxWords } from './use-box-words.ts';

interface DraftTextareaProps {
  draft: DraftAtom;
  ref: RefObject<HTMLTextAreaElement | null>;
  id: string;
  words: BoxWords;
  isDisabled: boolean;
  onKeyDown: (event: KeyboardEvent) => void;
}

/**
 * The textarea of a draft. Uncontrolled: the browser holds the text and the draft atom follows synchronously;
 * everything rendered from the draft is deferred, so that typing never waits for a render.
 */
export const DraftTextarea = memo(function DraftBox(props: DraftTextareaProps) {
  const { draft, ref, id, words, isDisabled, onKeyDown } = props;
  const store = useStore();

  useLayoutEffect(() => {
    function show(): void {
      const area = ref.current;
      if (!area) return;
      const text = store.get(draft);
      direct(area, text);
      if (area.value !== text) area.value = text;
      autosize(area);
    }
    show();
    return store.sub(draft, show);
  }, [store, draft, ref]);

  return (
    <div className={classes.area}>
      <textarea
        ref={ref}
        id={id}
        className={classes.text}
        data-testid="text-input"
        rows={1}
        defaultValue={store.get(draft)}
        disabled={isDisabled}
        // The invitation lies above it: as a placeholder, screen readers would read its signs after the name.
        placeholder=" "
        aria-label={words.label}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          direct(currentTarget, value);
          startTransition(() => store.set(draft, value));
          // The reply will need the Markdown renderer.
          void preloadMarkdown();
        }}
        onKeyDown={onKeyDown}
      />
      <span className={classes.invitation} aria-hidden>
        <span className={classes.long}>{words.invitation}</span>
        <span className={classes.short}>{words.short}</span>
      </span>
    </div>
  );
});

/** At once, and not with the next render: the browser lays out what is pasted before that. */
function direct(area: HTMLTextAreaElement, text: string): void {
  const direction = textDirection(text);
  if (direction === undefined) area.removeAttribute('dir');
  else if (area.dir !== direction) area.dir = direction;
}
