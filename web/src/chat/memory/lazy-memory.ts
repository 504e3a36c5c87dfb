// Loaded where an answer remembered something, or was shown what is remembered.
import { lazyScreen } from '../../ui/lazy/lazy-screen.tsx';

const read = () => import('./memory-parts.tsx');

export const memoryCards = lazyScreen(async () => (await read()).MemoryCards);
export const usedMemories = lazyScreen(async () => (await read()).UsedMemories);
