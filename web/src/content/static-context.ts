import { createContext } from 'react';

/** True where content becomes an image: frames, which no image shows, stand as their source. */
export const StaticContext = createContext(false);
