/** The credits reserved for an ask, and the tokens that its prompt was reckoned to have. */
export interface Reservation {
  credits: number;
  promptTokens: number;
}
