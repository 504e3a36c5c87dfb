import type { Transcript } from './transcript.ts';

/** The conversation's endpoint settings, as in a preset: values equal to a default are left out. */
export function endpointOptions({ convo, title }: Pick<Transcript, 'convo' | 'title'>) {
  const { endpoint, endpointType, model, settings } = convo;
  return {
    presetId: null,
    title,
    endpoint,
    ...(endpointType !== endpoint && { endpointType }),
    model,
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== null)),
  };
}

/** The same as pairs of name and text; a list or an object is JSON. */
export function optionLines(transcript: Pick<Transcript, 'convo' | 'title'>): string[] {
  return Object.entries(endpointOptions(transcript)).map(
    ([name, value]) =>
      `${name}: ${typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)}`,
  );
}
