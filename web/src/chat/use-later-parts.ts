import { laterParts } from '../ui/lazy/later-parts.ts';

export const useLaterParts = laterParts(() => import('./later-parts.ts'));
