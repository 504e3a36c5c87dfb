import { preloadMarkdown } from '../../content/lazy-markdown.tsx';
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

/** Loads the Markdown renderer too: messages that change their layout once it arrives would move others. */
const thread = lazyScreen(async () => {
  const [loaded] = await Promise.all([import('./thread.tsx'), preloadMarkdown()]);
  return loaded.Thread;
}, 'ahead');

/** The thread of a chat. A first question needs none of its code. */
export const LazyThread = thread.Screen;

export const preloadThread = thread.preload;
