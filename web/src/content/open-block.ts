import { createContext } from 'react';

/** Whether the block around is the last one of an answer that is still being written. */
export const OpenBlock = createContext(false);
