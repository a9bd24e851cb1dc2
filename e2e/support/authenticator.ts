import type { Locator } from '@playwright/test';
import { TOTP } from 'otpauth';

/** An authenticator app in somebody's hand: it shows a code only after those that it has shown before. */

const STEP_MS = 30_000;

export class Authenticator {
  readonly #totp: TOTP;
  #shown = 0;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: secret.replaceAll(' ', ''), algorithm: 'SHA1', digits: 6, period: 30 });
  }

  /** A code that has not been used; of a clock that is up to a step off, so that one seldom waits. */
  async code(): Promise<string> {
    const step = Math.max(Math.floor(Date.now() / STEP_MS) - 1, this.#shown + 1);
    const due = (step - 1) * STEP_MS - Date.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due + 100));
    this.#shown = step;
    return this.#totp.generate({ timestamp: step * STEP_MS });
  }
}

/** Puts the key that a dialog shows as text into an app. */
export async function addToApp(dialog: Locator): Promise<Authenticator> {
  return new Authenticator((await dialog.locator('code').textContent()) ?? '');
}
