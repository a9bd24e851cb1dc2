import { replaceSecret, selectSecrets } from '#server/accounts/second-factor/second-factor.queries.ts';
import { sealSecret, unsealSecret } from '#server/accounts/second-factor/second-factor-proof.ts';
import type { Platform } from '#server/platform/platform.ts';

/**
 * Reseals every second factor with the current secret, so that the operator can drop the previous secret
 * (docs/security.md, 'Keys and algorithms'). If no available secret opens a second factor, it stays unchanged, for the
 * operator to reset. Returns both counts.
 */
export async function resealSecondFactors({
  db,
  sealer,
}: Platform): Promise<{ readonly resealed: number; readonly unreadable: number }> {
  const sealed = await selectSecrets(db);
  let resealed = 0;
  for (const { personId, secret } of sealed) {
    const to = resealedOrUndefined(() => sealSecret(sealer, personId, unsealSecret(sealer, personId, secret)));
    if (to === undefined) continue;
    await replaceSecret(db, personId, { from: secret, to });
    resealed += 1;
  }
  return { resealed, unreadable: sealed.length - resealed };
}

function resealedOrUndefined(seal: () => Buffer): Buffer | undefined {
  try {
    return seal();
  } catch {
    return undefined;
  }
}
