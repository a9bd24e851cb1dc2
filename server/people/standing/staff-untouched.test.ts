import { beforeAll, describe, expect, it } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { endpoints } from '#contract/endpoints.ts';
import type { PermissionCode } from '#contract/permissions.ts';
import { messagesTo } from '#server/accounts/accounts.harness.ts';
import { buildEnrolled, enrol, firstStep } from '#server/accounts/own-account.harness.ts';
import { buildBusiness, buildSignedIn, type SignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';

/** KSTAF cannot change staff through any call; and what an administrator may do to a second factor. */

const RESET = '/persons/reset_second_factor';

const app = appOfFile();
let admin: SignedIn;
let staff: SignedIn;
beforeAll(async () => {
  admin = await buildSignedIn(app, { perms: ['KADMIN'] });
  staff = await buildSignedIn(app, { perms: ['KSTAF'] });
});

/** Every call that changes a person, with its body. A test below fails if one is missing. */
const changes: Readonly<Record<string, (tag: string) => Promise<object>>> = {
  '/persons/update_minimal_business': async (tag) => ({
    firstName: 'Amina',
    lastName: 'Kato',
    businessId: (await buildBusiness(app)).id,
    tag,
  }),
  '/persons/deactivate': async (tag) => ({ tag }),
  '/persons/roles': async (tag) => ({ tag, perms: [] }),
  [RESET]: async (tag) => ({ tag }),
};

function stored({ person }: SignedIn) {
  return app.platform.db
    .selectFrom('persons')
    .leftJoin('second_factors', 'second_factors.person_id', 'persons.id')
    .where('persons.id', '=', person.id)
    .selectAll()
    .execute();
}

describe('KSTAF', () => {
  it('is tried here with every call that changes a person', () => {
    const isOfPeople = ({ changes: changing, needs }: Endpoint): boolean => changing && needs.startsWith('people.');
    const paths = Object.values<Endpoint>(endpoints).filter(isOfPeople);
    expect(paths.map(({ path }) => path).sort()).toEqual(Object.keys(changes).sort());
  });

  it.each([[['KSTAF']], [['KADMIN']], [['BIDA', 'KSTAF']], [['KSTAF', 'KADMIN']]] as const)(
    'cannot touch somebody with %j',
    async (perms: readonly PermissionCode[]) => {
      const colleague = await enrol(app, await buildSignedIn(app, { perms }));
      const before = await stored(colleague);
      for (const [path, bodyOf] of Object.entries(changes)) {
        const answer = await staff.caller.post(path, await bodyOf(colleague.person.tag));
        expect([path, answer.status, answer.body.code]).toEqual([path, 403, 'FORBIDDEN']);
      }
      expect(await stored(colleague)).toEqual(before);
      expect((await colleague.caller.get('/users/session')).status).toBe(200);
    },
  );

  it('makes nobody staff, themselves included', async () => {
    const client = await buildSignedIn(app, { perms: ['BIDA'] });
    for (const { person } of [client, staff]) {
      const answer = await staff.caller.post('/persons/roles', { tag: person.tag, perms: ['KADMIN'] });
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('sees staff, and that is all', async () => {
    const { body } = await staff.caller.post('/persons', { searchPhrase: admin.person.username });
    expect(body).toMatchObject([{ tag: admin.person.tag, perms: ['KADMIN'] }]);
  });
});

describe('a second factor that an administrator resets', () => {
  it('is gone with its sessions, waiting logins and recovery codes; its owner is told and it is logged', async () => {
    const colleague = await buildEnrolled(app);
    const { username } = colleague.person;
    const handle = await firstStep(app.visitor(), username);
    const answer = await admin.caller.post(RESET, { tag: colleague.person.tag });
    expect([answer.status, answer.body]).toEqual([200, { success: true, msg: 'The second factor has been reset' }]);
    expect((await colleague.caller.get('/users/session')).status).toBe(401);
    const code = colleague.recoveryCodes[0] ?? '';
    const second = await app.visitor().post('/users/second_factor', { handle, code });
    expect(second.body.code).toBe('SECOND_FACTOR_ENDED');
    const login = await app.visitor().post('/users/login', { username, password: TEST_PASSWORD });
    expect(login.status).toBe(200);
    const told = (await messagesTo(app, username)).at(-1);
    expect(told?.subject).toBe('Your Kasente second factor was reset');
    const events = await app.platform.db
      .selectFrom('audit_events')
      .where('subject_tag', '=', colleague.person.tag)
      .where('action', '=', 'person.second-factor-reset')
      .select(['actor_tag', 'before', 'after'])
      .execute();
    expect(events).toEqual([{ actor_tag: admin.person.tag, before: null, after: null }]);
  });

  it('is not their own, nor one that nobody has', async () => {
    const self = await buildEnrolled(app, 'KADMIN');
    const own = await self.caller.post(RESET, { tag: self.person.tag });
    expect([own.status, own.body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await self.caller.get('/users/second_factor')).body.setUpAt).not.toBeNull();
    const none = await admin.caller.post(RESET, { tag: staff.person.tag });
    expect([none.status, none.body]).toEqual([
      409,
      { success: false, code: 'NO_SECOND_FACTOR', msg: 'This person has no second factor' },
    ]);
  });

  it('is reset once of two at once', async () => {
    const colleague = await buildEnrolled(app);
    const answers = await Promise.all([1, 2].map(() => admin.caller.post(RESET, { tag: colleague.person.tag })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });
});
