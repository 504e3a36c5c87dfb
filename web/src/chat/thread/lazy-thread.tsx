import { preloadMarkdown } from '../../content/lazy-markdown.tsx';
import { lazyScreen } from '../../lib/lazy-screen.tsx';

/** Whoever is to read will need how texts are drawn: messages that change their looks when they are there move others. */
const thread = lazyScreen(async () => {
  const [room] = await Promise.all([import('./thread.tsx'), preloadMarkdown()]);
  return room.Thread;
}, 'ahead');

/** The messages of a chat. Nobody needs it to type a first question. */
export const LazyThread = thread.Screen;

export const preloadThread = thread.preload;
