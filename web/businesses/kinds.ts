import type { BusinessRow } from '#contract/businesses/schema.ts';

/** What a business is: a client, a buyer or both. */
export function kindOf({ isClient, isBuyer }: Pick<BusinessRow, 'isClient' | 'isBuyer'>): string {
  if (isClient && isBuyer) return 'Client and buyer';
  return isClient ? 'Client' : 'Buyer';
}
