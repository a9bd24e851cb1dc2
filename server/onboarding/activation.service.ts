import type { z } from 'zod';
import type { Activation, activationForm } from '#contract/onboarding/schema.ts';
import { AppError } from '#server/calls/app-error.ts';
import { recordEvent } from '#server/changes/change.ts';
import type { Context } from '#server/platform/work.ts';
import { lockActivation, selectActivation, updateDetails } from './activation.queries.ts';

/** The state of the caller's activation, with their statements about their business. */
export async function findActivation({ platform, caller: { person } }: Context): Promise<Activation> {
  const { status, ...said } = await selectActivation(platform.db, person.id);
  return { ...said, waiting: status === 'Verified', usualHours: platform.config.activationTargetHours };
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
