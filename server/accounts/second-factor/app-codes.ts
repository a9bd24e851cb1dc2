import { Secret, TOTP } from 'otpauth';
import { APP_CODE_LENGTH } from '#contract/own-account/schema.ts';
import { PRODUCT_NAME } from '#contract/product.ts';

/** Codes of authenticator apps: TOTP (RFC 6238) with the parameters that every app supports: 6 digits, SHA-1, 30 s. */

const STEP_SECONDS = 30;
const shape = { algorithm: 'SHA1', digits: APP_CODE_LENGTH, period: STEP_SECONDS } as const;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** By how many time steps a phone's clock may be off. */
const DRIFT_STEPS = 1;

/** A fresh secret in base 32. */
export function newAppSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI in the QR code for the authenticator app. */
export function appUri(secret: string, username: string): string {
  return new TOTP({ ...shape, issuer: PRODUCT_NAME, label: username, secret: Secret.fromBase32(secret) }).toString();
}

/** The newest time step near now with this code, or undefined. */
export function stepOfCode(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ ...shape, secret: Secret.fromBase32(secret) });
  const current = Math.floor(now.getTime() / 1000 / STEP_SECONDS);
  const near = Array.from({ length: 2 * DRIFT_STEPS + 1 }, (_, back) => current + DRIFT_STEPS - back);
  return near.find((step) => totp.validate({ token: code, timestamp: step * STEP_SECONDS * 1000, window: 0 }) !== null);
}
