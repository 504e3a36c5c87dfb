// The tables of what is asked and told by itself, and of what models work by.
export * from './tables/automation/push-targets.ts';
export * from './tables/automation/research.ts';
export * from './tables/automation/schedules.ts';
export * from './tables/automation/skills.ts';
