import { timingSafeEqual } from 'node:crypto';
import { DAY_MS } from '#contract/time/durations.ts';
import type { Sealer } from '#server/secrets/sealer.ts';

/**
 * Links that freeze a payout account without a login. A link carries the account, the person, the last valid day and
 * the account's number of freezes, all under a keyed digest, so it needs no row. A freeze changes that number and so
 * invalidates all earlier links: each works once.
 */

const LIFETIME_MS = 30 * DAY_MS;
const DIGEST_BYTES = 16;
const TAG_BYTES = 16;

/** What a link allows. */
export interface FreezeLink {
  readonly accountTag: string;
  readonly personId: number;
  readonly endsAt: Date;
}

function textOf({ accountTag, personId, endsAt }: FreezeLink, freezes: number): string {
  return `freeze:${accountTag.toLowerCase()}:${personId}:${endsAt.getTime()}:${freezes}`;
}

/** The token of one person's link; `freezes` is how often the account has been frozen. */
export function freezeToken(
  sealer: Sealer,
  { tag: accountTag, freezes }: { readonly tag: string; readonly freezes: number },
  personId: number,
  now: Date,
): string {
  const endsAt = new Date(Math.ceil((now.getTime() + LIFETIME_MS) / 1000) * 1000);
  const head = Buffer.alloc(TAG_BYTES + 8);
  Buffer.from(accountTag.replaceAll('-', ''), 'hex').copy(head);
  head.writeUInt32BE(personId, TAG_BYTES);
  head.writeUInt32BE(endsAt.getTime() / 1000, TAG_BYTES + 4);
  const digest = sealer.digest(textOf({ accountTag, personId, endsAt }, freezes)).subarray(0, DIGEST_BYTES);
  return Buffer.concat([head, digest]).toString('base64url');
}

/** Parses a token; undefined if it is not one. {@link isProved} checks its digest. */
export function readFreezeToken(token: string): FreezeLink | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== TAG_BYTES + 8 + DIGEST_BYTES) return undefined;
  const hex = bytes.subarray(0, TAG_BYTES).toString('hex');
  return {
    accountTag: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    personId: bytes.readUInt32BE(TAG_BYTES) % 2 ** 31,
    endsAt: new Date(bytes.readUInt32BE(TAG_BYTES + 4) * 1000),
  };
}

/** Whether the server made the token, and the account has been frozen exactly as often as it says. */
export function isProved(sealer: Sealer, token: string, link: FreezeLink, freezes: number): boolean {
  const given = Buffer.from(token, 'base64url').subarray(TAG_BYTES + 8);
  return sealer
    .digests(textOf(link, freezes))
    .some((digest) => timingSafeEqual(given, digest.subarray(0, DIGEST_BYTES)));
}
