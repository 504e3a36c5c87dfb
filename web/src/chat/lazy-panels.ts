import { lazyScreen } from '../ui/lazy/lazy-screen.tsx';
import { readMenus } from '../ui/lazy/chunks.ts';

const readPanels = () => import('./panels.ts');

export const addMenu = lazyScreen(async () => (await readPanels()).AddMenu, 'ahead');
export const autoReader = lazyScreen(async () => (await readPanels()).AutoReader);
export const contextPicker = lazyScreen(async () => (await readMenus()).ContextPicker, 'ahead');
export const dictationBar = lazyScreen(async () => (await readPanels()).DictationBar);
export const effortMenu = lazyScreen(async () => (await readPanels()).EffortMenu, 'ahead');
export const replyDetails = lazyScreen(async () => (await readPanels()).ReplyDetails, 'ahead');
export const memoryCards = lazyScreen(async () => (await readPanels()).MemoryCards);
export const messageEdit = lazyScreen(async () => (await readPanels()).MessageEdit, 'ahead');
export const messageMenu = lazyScreen(async () => (await readPanels()).OpenMessageMenu, 'ahead');
export const otherModelDialog = lazyScreen(async () => (await readPanels()).OtherModelDialog, 'ahead');
export const outline = lazyScreen(async () => (await readPanels()).Outline, 'ahead');
export const paramsPopover = lazyScreen(async () => (await readPanels()).ParamsPopover, 'ahead');
export const personalOffer = lazyScreen(async () => (await readPanels()).PersonalOffer);
export const pluginPanel = lazyScreen(async () => (await readPanels()).PluginPanel, 'ahead');
export const presetMenu = lazyScreen(async () => (await readPanels()).PresetMenu, 'ahead');
export const readButton = lazyScreen(async () => (await readPanels()).ReadButton, 'ahead');
export const researchSteps = lazyScreen(async () => (await readPanels()).ResearchSteps);
export const toolsMenu = lazyScreen(async () => (await readPanels()).ToolsMenu, 'ahead');
export const treeMap = lazyScreen(async () => (await readPanels()).TreeMap, 'ahead');
export const usedMemories = lazyScreen(async () => (await readPanels()).UsedMemories);
export const voiceMode = lazyScreen(async () => (await readPanels()).VoiceMode);
