import { createHash } from 'node:crypto';
import { DAY_MS } from '#contract/time/durations.ts';
import { asSystem } from '#server/db/row-scope.ts';
import type { Letter } from '#server/pdf/letter.ts';
import { LOOK_OF_LETTERS } from '#server/pdf/letters.ts';
import type { Platform } from '#server/platform/platform.ts';
import { forgetLettersBefore, insertLetter, selectLetter, touchLetter } from './kept-letters.queries.ts';

/**
 * Letters that no longer change are drawn once (docs/decisions/0021-load.md) and stored by a digest of content and
 * layout. A different text, or a different version of the drawing program, makes a different letter.
 */

const FORGOTTEN_AFTER_MS = 30 * DAY_MS;

/** The letters of one server. */
export class KeptLetters {
  readonly #platform: Platform;
  /** By digest: concurrent requests for a letter share one result. */
  readonly #underway = new Map<string, Promise<Buffer>>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** The letter as a PDF. Throws UNAVAILABLE if it has to be drawn and that fails. */
  async find(letter: Letter): Promise<Buffer> {
    const digest = createHash('sha256').update(LOOK_OF_LETTERS).update(JSON.stringify(letter)).digest();
    const key = digest.toString('hex');
    const underway = this.#underway.get(key);
    if (underway !== undefined) return underway;
    const found = asSystem('letters', () => this.#findOrDraw(digest, letter)).finally(() => this.#underway.delete(key));
    this.#underway.set(key, found);
    return found;
  }

  async #findOrDraw(digest: Buffer, letter: Letter): Promise<Buffer> {
    const { db, clock, letters, sealer, log } = this.#platform;
    const now = clock.now();
    const kept = await selectLetter(db, digest);
    if (kept !== undefined && sealer.digests(sealedText(digest, kept.content)).some((seal) => seal.equals(kept.seal))) {
      if (kept.asked_at.getTime() <= now.getTime() - DAY_MS) await this.#note(() => touchLetter(db, digest, now));
      return kept.content;
    }
    if (kept !== undefined) log.error('a kept letter was changed, or sealed with another secret: it is drawn again');
    const content = await letters.draw(letter);
    const seal = sealer.digest(sealedText(digest, content));
    await this.#note(() => insertLetter(db, { digest, content, seal, asked_at: now }));
    return content;
  }

  /** Runs a write, and only logs a failure such as a full disk: the letter is then drawn again next time. */
  async #note(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      this.#platform.log.warn({ err: error }, 'a drawn letter could not be kept');
    }
  }
}

function sealedText(digest: Buffer, content: Buffer): string {
  return `letter ${digest.toString('hex')} ${createHash('sha256').update(content).digest('hex')}`;
}

/** Deletes letters not requested for 30 days. */
export async function sweepLetters({ db, clock }: Platform): Promise<void> {
  await forgetLettersBefore(db, new Date(clock.now().getTime() - FORGOTTEN_AFTER_MS));
}
