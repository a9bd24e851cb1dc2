import type { z } from 'zod';
import type { Activation, activationForm, walletForm } from '#contract/onboarding/schema.ts';
import { walletOf } from '#contract/payouts/account.ts';
import { provePassword } from '#server/accounts/passwords/own-password.service.ts';
import { AppError } from '#server/calls/app-error.ts';
import { recordEvent } from '#server/changes/change.ts';
import { addFor } from '#server/payout-accounts/payout-accounts.service.ts';
import { storeForm, type UpdatePersonForm } from '#server/people/people.service.ts';
import type { Context } from '#server/platform/work.ts';
import { lockActivation, selectActivation, updateDetails } from './activation.queries.ts';

/** The state of the caller's activation, with their statements about their business. */
export async function findActivation({ platform, caller: { person } }: Context): Promise<Activation> {
  const { status, holderName, ...said } = await selectActivation(platform.db, person.id);
  const own = walletOf(person.username);
  return {
    ...said,
    waiting: status === 'Verified',
    usualHours: platform.config.activationTargetHours,
    wallet: own === undefined ? null : { ...own, holderName },
  };
}

/**
 * Stores what a person who waits for activation says about themselves and their business, for the staff who activate
 * them. Throws NOT_WAITING for anybody else.
 */
export async function stateDetails(
  { platform, caller }: Context,
  form: z.output<typeof activationForm>,
): Promise<void> {
  await platform.db.inTransaction(async (change) => {
    const { status, ...before } = await lockActivation(change, caller.person.id);
    if (status !== 'Verified') throw new AppError('NOT_WAITING');
    const { firstName, lastName, tin = null } = form;
    const businessName = form.businessName.replaceAll(/\s+/g, ' ');
    await updateDetails(change, caller.person.id, {
      first_name: firstName,
      last_name: lastName,
      stated_business: businessName,
      stated_tin: tin,
    });
    recordEvent({ change, caller }, 'person.details-stated', ['person', caller.person.tag], {
      before,
      after: { firstName, lastName, businessName, tin },
    });
  });
}

/**
 * Stores in whose name the mobile money of the person's own number is, confirmed with their password; their activation
 * makes it a payout account of their business. Throws NOT_WAITING for anybody else, UNKNOWN_REFERENCE for a username
 * that is no mobile money, and what `provePassword` throws.
 */
export async function stateWallet(
  context: Context,
  { holderName, password }: z.output<typeof walletForm>,
): Promise<void> {
  const { platform, caller } = context;
  const { person } = caller;
  await platform.passwords.inLine({ queue: 'known', key: `person:${person.tag}` }, () =>
    provePassword(context, password),
  );
  await platform.db.inTransaction(async (change) => {
    const { status, ...before } = await lockActivation(change, person.id);
    if (status !== 'Verified') throw new AppError('NOT_WAITING');
    if (walletOf(person.username) === undefined) throw new AppError('UNKNOWN_REFERENCE');
    await updateDetails(change, person.id, { stated_holder: holderName });
    recordEvent({ change, caller }, 'person.wallet-stated', ['person', person.tag], {
      before: { holderName: before.holderName },
      after: { holderName },
    });
  });
}

/**
 * Stores the Update Person form as {@link storeForm} does. Of a person whom it activates, it adds the mobile money that
 * they stated to the accounts of their business, unless the business has it or may not add it.
 */
export async function updatePerson(context: Context, form: UpdatePersonForm): Promise<void> {
  await context.platform.db.inTransaction(async (change) => {
    const work = { ...context, change };
    const { person, activates } = await storeForm(work, form);
    const wallet = walletOf(person.username);
    if (!activates || wallet === undefined) return;
    const { holderName } = await selectActivation(change, person.id);
    if (holderName === null) return;
    await updateDetails(change, person.id, { stated_holder: null });
    await addFor(work, person, { ...wallet, holderName, bankName: undefined });
  });
}
