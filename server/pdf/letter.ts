/** The blocks of a letter, from top to bottom. */
export type Block =
  | { readonly heading: string }
  | { readonly text: string; readonly faint?: boolean }
  /** Names and values, one line each. */
  | { readonly facts: readonly (readonly [label: string, value: string])[] }
  | { readonly amount: string; readonly label: string }
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Each column's share of the width; figures are right-aligned. */
      readonly widths: readonly number[];
      readonly figures?: readonly number[];
    };

/** A letter: title, subtitle and blocks. `at` is when its content became true, not the time of printing. */
export interface Letter {
  readonly title: string;
  readonly subtitle: string;
  readonly at: Date;
  readonly blocks: readonly Block[];
}
