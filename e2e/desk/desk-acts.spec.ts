import type { Page } from '@playwright/test';
import { acknowledge, approve, type Draft, largeTerms, newSubmission, onDesk } from '#e2e/support/arrange.ts';
import { get, post } from '#e2e/support/calls.ts';
import { expectByItself } from '#e2e/support/clock.ts';
import { moreAction, officer, preparePayout } from '#e2e/support/desk.ts';
import { DEMONSTRATION_PASSWORD, expect, kampalaDay, signIn, test } from '#e2e/support/fixtures.ts';
import { answerInstead, hold, sentTo } from '#e2e/support/network.ts';
import { picture } from '#e2e/support/pictures.ts';

/** An officer on a slow or bad connection learns how each action ended, and keeps their place and their typing. */

test.use({ world: 'staff acts' });
test.describe.configure({ mode: 'default' });

const CLIENT = '0700000002';
const OFFICER = 'staff@kasente.test';
const OTHER_OFFICER = 'admin@kasente.test';

const decision = (page: Page) => page.getByRole('region', { name: 'Decision' });
const button = (page: Page, name: string) => decision(page).getByRole('button', { name, exact: true });
const refusal = (page: Page) => decision(page).getByRole('alert');
const assignee = (page: Page) => decision(page).getByRole('status');
const panelHeading = (page: Page) => decision(page).getByRole('heading', { name: 'Decision' });
const dialog = (page: Page) => page.getByRole('dialog');
const inDialog = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true });
const toast = (page: Page, text: string) => page.getByRole('alert').getByText(text);
const caseCall = ({ tag }: Draft, name: string) => `desk/cases/${tag}/${name}`;

/** An unassigned case, with an officer logged in. */
async function freeCase(page: Page): Promise<Draft> {
  await signIn(page, CLIENT);
  const submission = await newSubmission(page);
  await signIn(page, OFFICER);
  return submission;
}

/** A case in review by the officer, open on their screen. */
async function openReview(page: Page): Promise<Draft> {
  const reviewed = await freeCase(page);
  await post(page, caseCall(reviewed, 'start_review'));
  await acknowledge(page, reviewed);
  await page.goto(`/desk/${reviewed.tag}`);
  await expect(button(page, 'Approve')).toBeEnabled();
  return reviewed;
}

/** Waits until the screen has been drawn after a reply arrived. */
async function drawnAfter(page: Page, path: string, doing: () => void): Promise<void> {
  const answered = page.waitForResponse(`**/api/v1/${path}`);
  doing();
  await (await answered).finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
}

test('an officer who navigates away after a decision is not moved to the next case', async ({ page }) => {
  const { number } = await openReview(page);
  const letNextCome = await hold(page, '**/api/v1/desk/queue', 'POST');
  await button(page, 'Approve').click();
  await inDialog(page, 'Approve').click();
  // The notice appears before the next case is known.
  await expect(toast(page, `invoice ${number}, was approved`)).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Businesses' }).click();
  const search = page.getByRole('searchbox', { name: 'Search businesses' });
  await search.fill('Naka');
  await drawnAfter(page, 'desk/queue', letNextCome);
  await expect(page).toHaveURL(/\/businesses/);
  await expect(search).toHaveValue('Naka');
});

test('an officer who starts to release the payout after a decision is not moved away from it', async ({ page }) => {
  // Two officers approve it, so that the second one may release it.
  await signIn(page, CLIENT);
  const large = await newSubmission(page, largeTerms);
  const first = await officer(page, OTHER_OFFICER);
  await approve(first, large);
  await signIn(page, OFFICER);
  await page.goto(`/desk/${large.tag}`);
  const letNextCome = await hold(page, '**/api/v1/desk/queue', 'POST');
  await button(page, 'Approve (second of two)').click();
  await inDialog(page, 'Approve').click();
  await expect(page.getByRole('button', { name: 'Prepare payout' })).toBeEnabled();
  await preparePayout(first, large);
  await page.getByRole('button', { name: 'Release payout' }).click();
  const reference = `MM-${large.tag.slice(0, 8)}`;
  await dialog(page).getByLabel('Reference').fill(reference);
  await drawnAfter(page, 'desk/queue', letNextCome);
  await expect(dialog(page).getByLabel('Reference')).toHaveValue(reference);
  await dialog(page).getByLabel('Your password').fill(DEMONSTRATION_PASSWORD);
  await inDialog(page, 'Release payout').click();
  await expect(dialog(page)).toHaveCount(0);
  // Paid back, it no longer counts towards the amount that one officer may approve alone.
  const receipt = {
    method: 'bank',
    reference: `BK-${large.tag.slice(0, 8)}`,
    date: kampalaDay(),
    payer: 'buyer',
    amount: largeTerms.amountAppliedFor,
  };
  await post(first, `applications/${large.tag}/receipts`, receipt);
});

test('a dialog whose decision is being sent stays open until the outcome is known', async ({ page }) => {
  const reviewed = await openReview(page);
  const letGo = await hold(page, `**/api/v1/${caseCall(reviewed, 'approve')}`, 'POST');
  const sent = sentTo(page, caseCall(reviewed, 'approve'));
  await button(page, 'Approve').click();
  await inDialog(page, 'Approve').press('Enter');
  await expect(inDialog(page, 'Cancel')).toBeDisabled();
  await expect(inDialog(page, 'Close')).toHaveCount(0);
  await expect(inDialog(page, 'Approve')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  letGo();
  await expect(toast(page, `invoice ${reviewed.number}, was approved`)).toBeVisible();
  await expect(dialog(page)).toHaveCount(0);
  expect(sent).toHaveLength(1);
});

test('an officer who leaves the screen with the browser still sees the outcome of the action', async ({ page }) => {
  const reviewed = await openReview(page);
  await page.getByRole('link', { name: 'Queue', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Queue/ })).toBeVisible();
  await page.goBack();
  const path = caseCall(reviewed, 'approve');
  const msg = 'The application has moved on, so this is no longer possible';
  await answerInstead(page, path, 409, { code: 'STEP_NOT_ALLOWED', msg });
  const letGo = await hold(page, `**/api/v1/${path}`, 'POST');
  await button(page, 'Approve').click();
  await inDialog(page, 'Approve').click();
  await page.goForward();
  await expect(page.getByRole('heading', { level: 1, name: /^Queue/ })).toBeVisible();
  letGo();
  await expect(toast(page, `invoice ${reviewed.number}: ${msg}`)).toBeVisible();
});

test('a note that the server could not accept stays, to be sent again', async ({ page }) => {
  const reviewed = await openReview(page);
  await (await moreAction(page, 'Decline')).click();
  await dialog(page).getByRole('combobox', { name: 'Reason' }).click();
  await page.getByRole('option', { name: 'We do not finance invoices of this buyer at present' }).click();
  const note = dialog(page).getByLabel('Note to the client');
  await note.fill('Send us another invoice.');
  const path = caseCall(reviewed, 'decline');
  for (const [status, code, msg] of [
    [429, 'TOO_MANY_REQUESTS', 'Too many requests from here. Try again later'],
    [500, 'INTERNAL', 'Something went wrong on our side. Nothing is lost. Please try again'],
  ] as const) {
    const answerAgain = await answerInstead(page, path, status, { code, msg });
    await inDialog(page, 'Decline').click();
    await expect(dialog(page).getByRole('alert')).toHaveText(msg);
    await expect(note).toHaveValue('Send us another invoice.');
    await answerAgain();
  }
  await inDialog(page, 'Decline').click();
  await expect(toast(page, `invoice ${reviewed.number}, was declined`)).toBeVisible();
});

test('a dialog about a case that has changed closes, and the new state is shown', async ({ page }) => {
  const reviewed = await openReview(page);
  await (await moreAction(page, 'Request Information')).click();
  await dialog(page).getByLabel('Question').fill('Where is the delivery note?');
  const administrator = await officer(page, OTHER_OFFICER);
  const { tag } = (await get<{ user: { tag: string } }>(administrator, 'users/session')).user;
  await onDesk(administrator, reviewed, 'hand_over', { officerTag: tag });
  await inDialog(page, 'Ask the Client').click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(refusal(page)).toContainText('Another officer has this case. This is how the case stands now.');
  await picture(page, 'desk-case-refused');
});

test('if one of two cases taken at once is refused, that is shown, and each button waits for its own reply', async ({
  page,
}) => {
  await signIn(page, CLIENT);
  const taken = await newSubmission(page);
  const free = await newSubmission(page);
  await signIn(page, OFFICER, '/desk?search=E2E');
  const take = ({ number }: Draft) =>
    page.getByRole('button', { name: `Take Jinja Agro Supplies Ltd, invoice ${number}` });
  const msg = 'Another officer has this case';
  await answerInstead(page, caseCall(taken, 'start_review'), 409, { code: 'CASE_TAKEN', msg });
  const letRefuse = await hold(page, `**/api/v1/${caseCall(taken, 'start_review')}`, 'POST');
  const letTake = await hold(page, `**/api/v1/${caseCall(free, 'start_review')}`, 'POST');
  await take(taken).click();
  await take(free).click();
  await expect(take(taken)).toBeDisabled();
  await expect(take(free)).toBeDisabled();
  letRefuse();
  const told = page.getByRole('alert').filter({ hasText: msg });
  await expect(told).toHaveText(`Jinja Agro Supplies Ltd, invoice ${taken.number}: ${msg}`);
  await expect(take(taken)).toBeEnabled();
  await expect(take(free)).toBeDisabled();
  letTake();
  await expect(
    page.getByRole('button', { name: `Release Jinja Agro Supplies Ltd, invoice ${free.number}` }),
  ).toBeVisible();
  await expect(told).toBeVisible();
});

test('keyboard focus is never lost on a case, and its assignee is announced', async ({ page }) => {
  const subject = await freeCase(page);
  await page.goto(`/desk/${subject.tag}`);
  const letGo = await hold(page, `**/api/v1/${caseCall(subject, 'start_review')}`, 'POST');
  await (await moreAction(page, 'Take')).press('Enter');
  await expect(button(page, 'More')).toBeDisabled();
  await expect(button(page, 'More')).toBeFocused();
  letGo();
  await expect(assignee(page)).toHaveText('Assigned to you');
  await expect(button(page, 'More')).toBeFocused();
  await (await moreAction(page, 'Release')).press('Enter');
  await expect(assignee(page)).toHaveText('Unassigned');
  await expect(button(page, 'More')).toBeFocused();

  const other = await officer(page, OTHER_OFFICER);
  const take = await moreAction(page, 'Take');
  await onDesk(other, subject, 'take');
  await take.press('Enter');
  await expect(refusal(page)).toContainText('Another officer has this case. This is how the case stands now.');
  await expect(assignee(page)).toHaveText('Assigned to Grace Namukasa');
  await expect(panelHeading(page)).toBeFocused();
});

test('a dialog of a case returns the focus to its opener, or near it', async ({ page }) => {
  await openReview(page);
  await (await moreAction(page, 'Request Information')).press('Enter');
  await expect(dialog(page).getByLabel('Question')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button(page, 'More')).toBeFocused();
  await (await moreAction(page, 'Request Information')).press('Enter');
  await dialog(page).getByLabel('Question').fill('Where is the delivery note?');
  await inDialog(page, 'Ask the Client').press('Enter');
  await expect(button(page, 'Approve')).toHaveCount(0);
  await expect(button(page, 'More')).toBeFocused();
});

test('a row that is taken or given back by keyboard keeps the focus and announces the assignee', async ({ page }) => {
  const subject = await freeCase(page);
  const row = page.getByRole('row').filter({ hasText: subject.number });
  const button = (word: string) =>
    row.getByRole('button', { name: `${word} Jinja Agro Supplies Ltd, invoice ${subject.number}` });
  await page.goto(`/desk?job=decide&filter=unassigned&search=${subject.number}`);
  await button('Take').press('Enter');
  await expect(button('Release')).toBeEnabled();
  await expect(button('Release')).toBeFocused();
  await expect(row.getByText('you', { exact: true })).toBeVisible();
  await page.goto(`/desk?job=decide&filter=mine&search=${subject.number}`);
  await button('Release').press('Enter');
  await expect(button('Take')).toBeEnabled();
  await expect(button('Take')).toBeFocused();

  await page.goto(`/desk?search=${subject.number}`);
  await expect(button('Take')).toBeEnabled();
  await onDesk(await officer(page, OTHER_OFFICER), subject, 'take');
  await button('Take').press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Another officer has this case' })).toBeVisible();
  await expect(row.getByText('Grace Namukasa')).toBeVisible();
  await expect(row.getByRole('rowheader').getByRole('link')).toBeFocused();
});

test('a lost connection is reported as such, and then the state of the case once it is known', async ({
  page,
  context,
}) => {
  await page.clock.install();
  const subject = await freeCase(page);
  await page.goto(`/desk/${subject.tag}`);
  const take = await moreAction(page, 'Take');
  await context.setOffline(true);
  await take.click();
  await expect(refusal(page)).toHaveText('Not doneNo connection. Check your network and try again.');
  await context.setOffline(false);
  await expectByItself(page, refusal(page).getByText('This is how the case stands now.'));
  await expect(refusal(page)).toHaveText(
    'Not doneNo connection. Check your network and try again. This is how the case stands now.',
  );
});
