import type { Page, Route } from '@playwright/test';
import type { Shot } from './shots.ts';
import { button, steps, withCall } from './steps.ts';

/** What the server says in the gallery's pictures of newcomers, and of buyers that clients ask for. */

const json = (body: unknown) => (route: Route) => route.fulfill({ json: body });

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

const buyersToAdd = json([
  { ...request, ...traders, match: null, total: 2 },
  {
    ...request,
    tag: '7d1c1f0e-0000-4000-8000-000000000002',
    name: 'Mukwano Industries',
    match: { id: 1, active: true, isOwn: false },
  },
]);

/** The users, of whom the first has named their business. */
async function stated(route: Route): Promise<void> {
  const response = await route.fetch();
  const [first, ...others] = await response.json();
  const said = { business: 'Kato Hardware', tin: '1001234567', industryId: 1, districtId: 1, match: null };
  await route.fulfill({
    response,
    json: [{ ...first, first_name: 'Amina', last_name: 'Kato', stated: said }, ...others],
  });
}

async function searchMissingBuyer(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Buyer' }).fill('Kampala City Traders');
  await page.getByRole('option').waitFor();
}

export const onboardingShots: readonly Shot[] = [
  {
    name: 'activation-details-kept',
    as: 'newcomer',
    path: '/home',
    reach: withCall('/users/activation', detailsKept),
    fullPage: true,
  },
  {
    name: 'new-application-buyer-asked',
    as: 'client',
    path: '/application/start',
    reach: withCall('/buyer_requests', buyerAsked),
    fullPage: true,
  },
  {
    name: 'new-application-buyer-added',
    as: 'client',
    path: '/application/start',
    reach: withCall('/buyer_requests', buyerAdded),
    fullPage: true,
  },
  {
    name: 'staff-update-person-stated',
    as: 'staff',
    path: '/home',
    reach: steps(withCall('/persons', stated), button(/^Activate Amina Kato/)),
  },
  {
    name: 'staff-add-stated-business',
    as: 'staff',
    path: '/home',
    reach: steps(withCall('/persons', stated), button(/^Activate Amina Kato/), button('Add business Kato Hardware')),
  },
  {
    name: 'businesses-buyers-to-add',
    as: 'staff',
    path: '/businesses',
    reach: withCall('/buyer_requests/paged', buyersToAdd),
    fullPage: true,
  },
  {
    name: 'businesses-add-buyer',
    as: 'staff',
    path: '/businesses',
    reach: steps(withCall('/buyer_requests/paged', buyersToAdd), button('Add Kampala City Traders')),
  },
  {
    name: 'businesses-known-buyer',
    as: 'staff',
    path: '/businesses',
    reach: steps(withCall('/buyer_requests/paged', buyersToAdd), button('Add Mukwano Industries')),
  },
  {
    name: 'businesses-refuse-buyer',
    as: 'staff',
    path: '/businesses',
    reach: steps(withCall('/buyer_requests/paged', buyersToAdd), button('Refuse Kampala City Traders')),
  },
  { name: 'activation-wrong', as: 'newcomer', path: '/home', reach: button('Send details'), fullPage: true },
  { name: 'new-application-buyer-missing', as: 'client', path: '/application/start', reach: searchMissingBuyer },
  { name: 'staff-users-stated', as: 'staff', path: '/home', reach: withCall('/persons', stated), fullPage: true },
];
