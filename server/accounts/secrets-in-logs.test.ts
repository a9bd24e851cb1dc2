import { describe, expect, it } from 'vitest';
import { createLog } from '#server/observability/logging.ts';
import { buildSignedIn, TEST_PASSWORD } from '#testing/builders.ts';
import { appOfFile } from '#testing/test-app.ts';
import { NEW_PASSWORD } from './accounts.harness.ts';
import { codeOf, enrol, firstStep, nextStep, secondStep, wrongCode } from './own-account.harness.ts';

/** The log at its most detailed level, while a person uses every secret of their account. */

const lines: string[] = [];
const app = appOfFile({}, { log: createLog('debug', { write: (line) => lines.push(line) }) });

describe('the log', () => {
  it('has no password, secret, code, handle or token, even of calls that fail', async () => {
    const { person, caller, secret, recoveryCodes } = await enrol(app, await buildSignedIn(app, { perms: ['KSTAF'] }));
    const handle = await firstStep(app.visitor(), person.username);
    const wrong = wrongCode(app, secret);
    await secondStep(app.visitor(), handle, wrong);
    const code = codeOf(app, secret);
    await secondStep(app.visitor(), handle, code);
    nextStep(app);
    const [recoveryCode = ''] = recoveryCodes;
    const visitor = app.visitor();
    await secondStep(visitor, await firstStep(visitor, person.username), recoveryCode);
    await caller.post('/users/password', { password: 'Wrong-one-2026', newPassword: NEW_PASSWORD });
    await caller.post('/users/password', { password: TEST_PASSWORD, newPassword: NEW_PASSWORD });
    // A fault is logged with all its details.
    await app.platform.db
      .updateTable('second_factors')
      .set({ secret: Buffer.alloc(40) })
      .execute();
    const broken = await firstStep(app.visitor(), person.username, NEW_PASSWORD);
    expect((await secondStep(app.visitor(), broken, codeOf(app, secret))).status).toBe(500);

    const log = lines.join('');
    // The log did contain these calls, and the fault.
    expect(log).toContain('/api/v1/users/second_factor');
    expect(log).toContain('a request failed');
    const tokens = [...caller.cookies.values(), ...visitor.cookies.values()];
    expect(tokens.length).toBeGreaterThanOrEqual(3);
    const told = [secret, handle, broken, wrong, code, recoveryCode, TEST_PASSWORD, NEW_PASSWORD, 'Wrong-one-2026'];
    expect([...told, ...recoveryCodes, ...tokens].filter((one) => log.includes(one))).toEqual([]);
  });

  it('redacts them by name, in case somebody logs them', () => {
    app.platform.log.info(
      { handle: 'planted', body: { secret: 'planted', deep: { recoveryCodes: ['planted'] } } },
      'canary',
    );
    const line = lines.findLast((one) => one.includes('canary')) ?? '';
    expect(line).toContain('[secret]');
    expect(line).not.toContain('planted');
  });
});
