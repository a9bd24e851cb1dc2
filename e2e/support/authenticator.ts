import type { Locator } from '@playwright/test';
import { TOTP } from 'otpauth';

/** An authenticator app: it never shows a code that it has shown before. */

const STEP_MS = 30_000;

export class Authenticator {
  readonly #totp: TOTP;
  #shown = 0;

  constructor(secret: string) {
    this.#totp = new TOTP({ secret: secret.replaceAll(' ', ''), algorithm: 'SHA1', digits: 6, period: 30 });
  }

  /** An unused code. Its clock may be up to one step off, so that the test seldom has to wait. */
  async code(): Promise<string> {
    const step = Math.max(Math.floor(Date.now() / STEP_MS) - 1, this.#shown + 1);
    const due = (step - 1) * STEP_MS - Date.now();
    if (due > 0) await new Promise((resolve) => setTimeout(resolve, due + 100));
    this.#shown = step;
    return this.#totp.generate({ timestamp: step * STEP_MS });
  }
}

/** Adds the key that a dialog shows as text to an app. */
export async function addToApp(dialog: Locator): Promise<Authenticator> {
  return new Authenticator((await dialog.locator('code').textContent()) ?? '');
}
