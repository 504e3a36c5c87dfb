// All stores beside the folder of this machine.
import { firebase } from './firebase.ts';
import { openAI } from './openai.ts';
import { s3 } from './s3.ts';

export const STORES = [s3, firebase, openAI] as const;
