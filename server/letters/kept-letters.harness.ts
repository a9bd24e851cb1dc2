import { drawLetter } from '#server/pdf/drawing.ts';
import type { Letter } from '#server/pdf/letter.ts';
import type { Letters } from '#server/pdf/letters.ts';
import { Gathering } from '#testing/gathering.ts';

/** Letters that a test counts and delays: each is drawn in this process when the test releases it. */
export interface HeldLetters extends Letters {
  /** The letters whose drawing was requested, in order. */
  readonly begun: Gathering<{ readonly letter: Letter; readonly release: () => void }>;
}

/** Creates {@link HeldLetters}, which delay letters only if `held`. */
export function holdLetters({ held }: { readonly held: boolean }): HeldLetters {
  const begun: HeldLetters['begun'] = new Gathering();
  return {
    begun,
    draw: async (letter) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (!held) resolve();
      begun.add({ letter, release: resolve });
      await promise;
      return drawLetter(letter);
    },
    turns: () => ({ running: 0, waiting: 0, refused: 0 }),
    close: async () => undefined,
  };
}
