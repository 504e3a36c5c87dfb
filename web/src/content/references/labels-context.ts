import { createContext } from 'react';
import { NO_LABELS, type Labels } from './references.ts';

/** What the blocks of the surrounding message define for each other. */
export const LabelsContext = createContext<Labels>(NO_LABELS);
