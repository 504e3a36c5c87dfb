import { createContext } from 'react';

/** Whether the surrounding block is the last one of a streaming answer. */
export const OpenBlockContext = createContext(false);
