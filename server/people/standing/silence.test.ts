import { beforeAll, describe, expect, it } from 'vitest';
import type { PermissionCode } from '#contract/permissions.ts';
import { DAY_SECONDS } from '#contract/time/durations.ts';
import { type BuiltPerson, buildBusiness, buildPerson, buildSignedIn, type SignedIn } from '#testing/builders.ts';
import {
  buildCaseClient,
  buildDisbursedCase,
  buildSubmittedCase,
  type CaseClient,
  messagesTo,
  succeed,
} from '#testing/case-builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/**
 * Nobody is deactivated, and no officer loses a role, without messages about it
 * (docs/decisions/0033-officers-who-cheat.md).
 */

const AT_ONCE = 'If this is not right, tell us at once: +256 700 000000.';
const LATELY_DAYS = 30;

const app = appOfFile({ SESSION_IDLE_MINUTES: '720' });
let admin: SignedIn;
let staff: SignedIn;
beforeAll(async () => {
  admin = await buildSignedIn(app, { perms: ['KADMIN'] });
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
});

function deactivate({ caller }: SignedIn, { tag }: BuiltPerson) {
  return succeed(caller.post('/persons/deactivate', { tag }));
}

function setRoles({ tag }: BuiltPerson, perms: readonly PermissionCode[]) {
  return succeed(admin.caller.post('/persons/roles', { tag, perms }));
}

async function newsTo(person: BuiltPerson): Promise<string[]> {
  return (await messagesTo(app, { person })).map(({ body }) => body);
}

async function subjectsTo(person: BuiltPerson): Promise<string[]> {
  return (await messagesTo(app, { person })).map(({ subject }) => subject);
}

describe('somebody who is deactivated', () => {
  it('is told at once by their own username, and so is every active colleague, once', async () => {
    const business = await buildBusiness(app);
    const at = { perms: ['BIDA'], businessId: business.id } as const;
    const leaver = await buildPerson(app, { ...at, firstName: 'Sarah', lastName: 'Nabirye' });
    const colleague = await buildPerson(app, { ...at, username: 'colleague@kasente.test' });
    const gone = await buildPerson(app, { status: 'Deactivated', businessId: business.id });
    const elsewhere = await buildPerson(app, { perms: ['BIDA'] });
    const toAdmin = await newsTo(admin.person);
    await deactivate(staff, leaver);
    await deactivate(staff, leaver);
    expect(await newsTo(leaver)).toEqual([`Kasente: we deactivated your account. You can't log in now. ${AT_ONCE}`]);
    const about = `Sarah Nabirye (${leaver.username}) can no longer act for ${business.name}`;
    const told = { channel: 'email', subject: about, body: `Kasente: ${about}. ${AT_ONCE}` };
    expect(await messagesTo(app, { person: colleague })).toEqual([told]);
    expect([await newsTo(gone), await newsTo(elsewhere), await newsTo(admin.person)]).toEqual([[], [], toAdmin]);
  });

  it('is told also while they wait for a business', async () => {
    const waiting = await buildPerson(app, { status: 'Verified' });
    await deactivate(staff, waiting);
    expect(await subjectsTo(waiting)).toEqual(['Your Kasente account is deactivated']);
  });
});

/** Moves a person to a business of their own. */
async function moveAway({ tag }: BuiltPerson): Promise<void> {
  const { id: businessId } = await buildBusiness(app);
  const form = { firstName: 'Sarah', lastName: 'Nabirye', businessId, tag };
  await succeed(staff.caller.post('/persons/update_minimal_business', form));
}

describe('a person who was deactivated or moved away lately', () => {
  const puppetOf = async (businessId: number): Promise<CaseClient> => {
    const { caller, person } = await buildSignedIn(app, { status: 'Verified' });
    const form = { firstName: 'Puppet', lastName: 'Okot', businessId, tag: person.tag };
    await succeed(staff.caller.post('/persons/update_minimal_business', form));
    return { caller, person: { ...person, businessId } };
  };

  it('still hears of a newcomer, a submission, an approval and a payout of their business', async () => {
    const owner = await buildCaseClient(app);
    const partner = await buildPerson(app, { perms: ['BIDA'], businessId: owner.person.businessId });
    const [moved, twice] = [
      await buildPerson(app, { perms: ['BIDA'], businessId: owner.person.businessId }),
      await buildPerson(app, { perms: ['BIDA'], businessId: owner.person.businessId }),
    ];
    await moveAway(moved);
    await moveAway(twice);
    await moveAway(twice);
    await deactivate(staff, twice);
    await deactivate(staff, owner.person);
    await deactivate(staff, partner);
    const before = await Promise.all([owner.person, partner, moved, twice].map(subjectsTo));
    const built = await buildDisbursedCase(app, { client: await puppetOf(owner.person.businessId) });
    const about = `Invoice ${built.invoiceNumber}`;
    const heard = [
      expect.stringMatching(/^Puppet Okot .* can now act for /),
      `${about}: submitted`,
      `${about}: approved`,
      `${about}: paid out`,
    ];
    const after = await Promise.all([owner.person, partner, moved, twice].map(subjectsTo));
    expect(after).toEqual(before.map((subjects) => [...subjects, ...heard]));
  });
});

describe('an officer who no longer is one', () => {
  const inRecord = 'If this is not right, change it under Users.';
  let other: BuiltPerson;
  beforeAll(async () => {
    other = await buildPerson(app, { perms: ['KADMIN'], username: 'other.admin@kasente.test' });
  });

  const build = (perms: readonly PermissionCode[]) =>
    buildPerson(app, { perms, firstName: 'Musa', lastName: 'Okello' });

  it.each([
    { had: ['KADMIN', 'KSTAF'], left: ['KSTAF'], lost: 'an administrator' },
    { had: ['KADMIN'], left: [], lost: 'an administrator' },
    { had: ['KSTAF'], left: ['BIDA'], lost: 'an officer' },
  ] as const)(
    'is told because $had became $left, and so is every active administrator',
    async ({ had, left, lost }) => {
      const { id: businessId } = await buildBusiness(app);
      const officer = await buildPerson(app, { perms: had, businessId, firstName: 'Musa', lastName: 'Okello' });
      const gone = await buildPerson(app, { status: 'Deactivated' });
      const toStaff = await newsTo(staff.person);
      await setRoles(officer, left);
      const told = `Kasente: Musa Okello (${officer.username}) is no longer ${lost}. ${inRecord}`;
      expect([(await newsTo(other)).at(-1), (await newsTo(admin.person)).at(-1)]).toEqual([told, told]);
      expect(await newsTo(officer)).toEqual([
        `Kasente: you are no longer ${lost}. If this is not right, ask an administrator.`,
      ]);
      expect([await newsTo(gone), await newsTo(staff.person)]).toEqual([[], toStaff]);
    },
  );

  it('hears of the deactivation, and so does every active administrator', async () => {
    const officer = await build(['KSTAF']);
    await deactivate(admin, officer);
    expect(await subjectsTo(officer)).toEqual(['Your Kasente account is deactivated']);
    expect((await newsTo(other)).at(-1)).toBe(
      `Kasente: Musa Okello (${officer.username}) is no longer an officer. ${inRecord}`,
    );
  });

  it('is no person who only gains a role, or loses one beside that of administrator', async () => {
    const officer = await build(['KSTAF']);
    await setRoles(officer, ['KADMIN', 'KSTAF']);
    const told = await newsTo(other);
    await setRoles(officer, ['KADMIN']);
    expect([await newsTo(officer), await newsTo(other)]).toEqual([[], told]);
  });
});

it('a client who loses the permission to act is told, and so are their active colleagues', async () => {
  const business = await buildBusiness(app);
  const client = await buildPerson(app, { perms: ['BIDA'], businessId: business.id });
  const colleague = await buildPerson(app, { perms: ['BIDA'], businessId: business.id });
  await setRoles(client, []);
  expect(await newsTo(client)).toEqual([`Kasente: you can no longer act for ${business.name}. ${AT_ONCE}`]);
  expect(await subjectsTo(colleague)).toEqual([`${client.username} can no longer act for ${business.name}`]);
});

// Must be the last test: time passes, and every session ends.
it('a deactivated or moved person hears nothing of another business, and nothing when that was long ago', async () => {
  const [client, other] = [await buildCaseClient(app), await buildCaseClient(app)];
  const at = { perms: ['BIDA'], businessId: client.person.businessId } as const;
  const [leaver, mover] = [await buildPerson(app, at), await buildPerson(app, at)];
  await moveAway(mover);
  await deactivate(staff, leaver);
  const told = [await subjectsTo(leaver), await subjectsTo(mover)];
  await buildSubmittedCase(app, { client: other });
  expect([await subjectsTo(leaver), await subjectsTo(mover)]).toEqual(told);
  app.clock.advance(LATELY_DAYS * DAY_SECONDS);
  const later = await buildSignedIn(app, { perms: ['BIDA'], businessId: client.person.businessId });
  await buildSubmittedCase(app, {
    client: { ...later, person: { ...later.person, businessId: client.person.businessId } },
  });
  expect([await subjectsTo(leaver), await subjectsTo(mover)]).toEqual(told);
});
