import type { Page } from '@playwright/test';
import { at, type Shot, whole } from './shot.ts';
import { button, changed, json, steps, withCall } from './steps.ts';

/** Pictures of newcomers, and of buyers that clients requested, with changed replies in place of the server's. */

const traders = { tag: '7d1c1f0e-0000-4000-8000-000000000001', name: 'Kampala City Traders' } as const;

const detailsKept = json({
  waiting: true,
  usualHours: 2,
  firstName: 'Amina',
  lastName: 'Kato',
  businessName: 'Kato Hardware',
  tin: '1001234567',
});

const buyerAsked = json([{ ...traders, buyer: null, refusal: null }]);

const buyerAdded = json([{ ...traders, buyer: { id: 1, name: traders.name }, refusal: null }]);

const request = { business: 'Nakasero Traders Ltd', askedBy: 'Sarah Nabirye', askedAt: '2026-11-20T09:00:00.000Z' };

const withBuyersToAdd = withCall(
  '/buyer_requests/paged',
  json([
    { ...request, ...traders, match: null, total: 2 },
    {
      ...request,
      tag: '7d1c1f0e-0000-4000-8000-000000000002',
      name: 'Mukwano Industries',
      match: { id: 1, active: true, isOwn: false },
    },
  ]),
);

/** The users; the first has named their business. */
const stated = changed<object[]>(([first, ...others]) => {
  const business = { business: 'Kato Hardware', tin: '1001234567', industryId: 1, districtId: 1, match: null };
  return [{ ...first, first_name: 'Amina', last_name: 'Kato', stated: business }, ...others];
});

async function searchMissingBuyer(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Buyer' }).fill('Kampala City Traders');
  await page.getByRole('option').waitFor();
}

export const onboardingShots: readonly Shot[] = [
  ...at('newcomer', '/home', { 'activation-details-kept': whole(withCall('/users/activation', detailsKept)) }),
  ...at('client', '/application/start', {
    'new-application-buyer-asked': whole(withCall('/buyer_requests', buyerAsked)),
    'new-application-buyer-added': whole(withCall('/buyer_requests', buyerAdded)),
  }),
  ...at('staff', '/home', {
    'staff-update-person-stated': steps(withCall('/persons', stated), button(/^Activate Amina Kato/)),
    'staff-add-stated-business': steps(
      withCall('/persons', stated),
      button(/^Activate Amina Kato/),
      button('Add business Kato Hardware'),
    ),
  }),
  ...at('staff', '/businesses', {
    'businesses-buyers-to-add': whole(withBuyersToAdd),
    'businesses-add-buyer': steps(withBuyersToAdd, button('Add Kampala City Traders')),
    'businesses-known-buyer': steps(withBuyersToAdd, button('Add Mukwano Industries')),
    'businesses-refuse-buyer': steps(withBuyersToAdd, button('Refuse Kampala City Traders')),
  }),
  { name: 'activation-wrong', as: 'newcomer', path: '/home', reach: button('Send details'), fullPage: true },
  { name: 'new-application-buyer-missing', as: 'client', path: '/application/start', reach: searchMissingBuyer },
  { name: 'staff-users-stated', as: 'staff', path: '/home', reach: withCall('/persons', stated), fullPage: true },
];
