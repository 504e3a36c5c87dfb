import { createContext } from 'react';

/** True where content becomes a picture: frames, which no picture shows, stand as their source. */
export const StaticContext = createContext(false);
