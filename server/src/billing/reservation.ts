/** The credits reserved for an ask, and the tokens that its prompt was reckoned to have. */
export interface Reservation {
  credits: number;
  promptTokens: number;
  /** They are of its user's balance, which is charged at the end. */
  isOfBalance: boolean;
  /** They are of the budgets that hold for its user. */
  isOfBudget: boolean;
}
