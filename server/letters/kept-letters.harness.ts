import { drawLetter } from '#server/pdf/drawing.ts';
import type { Letter } from '#server/pdf/letter.ts';
import type { Letters } from '#server/pdf/letters.ts';
import { Gathering } from '#server/testing/gathering.ts';

/** Letters that a test counts and holds: each is drawn, here and now, once it is let go on. */
export interface HeldLetters extends Letters {
  /** Those that were begun, in their order. */
  readonly begun: Gathering<{ readonly letter: Letter; readonly goOn: () => void }>;
}

/** {@link HeldLetters}, held only where a test says so. */
export function holdLetters({ held }: { readonly held: boolean }): HeldLetters {
  const begun: HeldLetters['begun'] = new Gathering();
  return {
    begun,
    draw: async (letter) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (!held) resolve();
      begun.add({ letter, goOn: resolve });
      await promise;
      return drawLetter(letter);
    },
    turns: () => ({ running: 0, waiting: 0, refused: 0 }),
    close: async () => undefined,
  };
}
