/** What a letter is made of, from top to bottom. */
export type Block =
  | { readonly heading: string }
  | { readonly text: string; readonly faint?: boolean }
  /** A name and what it is, a line each. */
  | { readonly facts: readonly (readonly [label: string, value: string])[] }
  | { readonly amount: string; readonly label: string }
  | {
      readonly columns: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** The share of the width that each column has; figures stand at the right of theirs. */
      readonly widths: readonly number[];
      readonly figures?: readonly number[];
    };

/** A letter: its title, the line below it and its blocks. `at` is when it became true, not when it is printed. */
export interface Letter {
  readonly title: string;
  readonly subtitle: string;
  readonly at: Date;
  readonly blocks: readonly Block[];
}
