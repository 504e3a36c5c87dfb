/** What Google speaks. */
import { gemini } from './gemini.ts';
import { geminiPictures } from './gemini-pictures.ts';
import { vertex } from './vertex.ts';

export const google = [gemini, geminiPictures, vertex];
