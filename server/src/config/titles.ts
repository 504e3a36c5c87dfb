export type Titles = {
  enabled: boolean;
  method: 'completion' | 'functions';
  /** `default` leaves the choice to the title service, `current` is the conversation's own model. */
  model: { use: 'default' } | { use: 'current' } | { use: 'named'; name: string };
};

export function titleModelOf(name: string | undefined): Titles['model'] {
  if (name === undefined) return { use: 'default' };
  return name === 'current_model' ? { use: 'current' } : { use: 'named', name };
}
