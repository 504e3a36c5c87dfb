import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { readAssistants } from '../ui/lazy/chunks.ts';
import { readMenus } from '../ui/lazy/chunks.ts';

export const panelBody = lazyScreen(async () => (await readMenus()).PanelBody, 'ahead');
export const promptsPanel = lazyScreen(async () => (await readMenus()).PromptsPanel, 'ahead');
export const builderPanel = lazyScreen(async () => (await readAssistants()).BuilderPanel);
