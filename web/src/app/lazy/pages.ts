// What is set up once and then rarely opened: one chunk.
export { PluginStore } from '../../plugins/plugin-store.tsx';
export { ProjectsScreen } from '../../projects/projects-screen.tsx';
export { PromptsScreen } from '../../prompts/prompts-screen.tsx';
export { SchedulesScreen } from '../../schedules/schedules-screen.tsx';
export { ToolsScreen } from '../../tools/tools-screen.tsx';
