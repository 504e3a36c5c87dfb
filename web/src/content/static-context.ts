import { createContext } from 'react';

/** True where content becomes an image: frames, which no image shows, stand as their source. */
export const StaticContext = createContext(false);

/** True where content is printed: on white paper, whatever the theme is. */
export const PrintContext = createContext(false);
