import { succeed } from '#server/testing/case-builders.ts';
import { until } from '#server/testing/until.ts';
import { approve, directions, type TransferOf, transactionOf } from './directions.harness.ts';
import {
  ask,
  fault,
  isStruck,
  killWaiting,
  ofApplication,
  ofTable,
  ofTransfer,
  orderAll,
  PAUSED,
  type Passage,
  type Point,
  rowOf,
  send,
  startCall,
  whenRow,
} from './killing.harness.ts';
import type { Fault } from './rails.harness.ts';

/** Where a server is killed from the preparing of a payment to the record of its end. */

/** Whether the provider has the order. */
async function isTaken({ world, built }: Passage, row: TransferOf): Promise<boolean> {
  return (await transactionOf(world, built.rail, row)) !== undefined;
}

/** Not decided before it is asked about; a request waits for its phone as it is. */
const waiting = ({ direction }: Passage): Fault[] =>
  directions[direction].needsPhone ? [] : [{ fault: 'pending', asks: 1, operation: directions[direction].operation }];

/** Its entry is written together with everything else that follows, and with COMMIT: cut off, or committed and nobody is told of it. */
function whileEndIsRecorded(isCut: boolean): Point {
  return async (passage) => {
    await fault(passage, ...waiting(passage));
    await orderAll(passage);
    const holding = await whenRow(passage, ({ said }) => said !== null);
    await approve(passage.world, passage.built);
    await killWaiting(passage, ofTable('journal_entries'), { holding, isCut });
    return isCut === ((await rowOf(passage))?.known_at === null);
  };
}

/** What only a payout has. */
export const preparing = {
  'while it is prepared': async (passage) => {
    const prepared = directions[passage.direction].prepare;
    await killWaiting(passage, ofApplication(passage), { when: () => startCall(prepared(passage.built)) });
    return (await rowOf(passage)) === undefined;
  },
  'between preparing and order': async (passage) => {
    await directions[passage.direction].prepare(passage.built);
    await passage.server.kill();
    return (await rowOf(passage)) === undefined;
  },
} as const satisfies Record<string, Point>;

export const sending = {
  'while it is ordered': async (passage) => {
    const { prepare, order } = directions[passage.direction];
    await prepare(passage.built);
    await killWaiting(passage, ofApplication(passage), { when: () => startCall(order(passage.built)) });
    return (await rowOf(passage)) === undefined;
  },
  'before the claim': async (passage) => {
    await orderAll(passage);
    await killWaiting(passage, ofTransfer(await whenRow(passage, () => true)));
    return (await rowOf(passage))?.sent_at === null;
  },
  'after the claim, before the send': async (passage) => {
    const { world, built, direction } = passage;
    await directions[direction].prepare(built);
    // A login is everybody's.
    await world.faults(built.rail, { ...PAUSED, operation: 'token' }, { fault: 'expire-tokens', seconds: 0 });
    await succeed(directions[direction].order(built));
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await passage.server.kill();
    return !(await isTaken(passage, row));
  },
  'in the send, before the provider takes it': async (passage) => {
    await fault(passage, { ...send(passage), fault: 'no-answer', taken: false });
    await orderAll(passage);
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await until(() => isStruck(passage));
    await passage.server.kill();
    return !(await isTaken(passage, row));
  },
  'in the send, after the provider took it': async (passage) => {
    await fault(passage, { ...send(passage), fault: 'no-answer', taken: true });
    await orderAll(passage);
    const row = await whenRow(passage, () => true);
    await until(() => isTaken(passage, row));
    await passage.server.kill();
    return (await rowOf(passage))?.said === null;
  },
  'after the answer, before its recording': async (passage) => {
    await fault(passage, { ...send(passage), ...PAUSED });
    await orderAll(passage);
    const row = await whenRow(passage, ({ sent_at }) => sent_at !== null);
    await killWaiting(passage, ofTransfer(row));
    return (await isTaken(passage, row)) && (await rowOf(passage))?.said === null;
  },
  'after the answer was recorded': async (passage) => {
    await fault(passage, ...waiting(passage));
    await orderAll(passage);
    await whenRow(passage, ({ said }) => said !== null);
    await passage.server.kill();
    return (await rowOf(passage))?.known_at === null;
  },
  'while the provider is asked': async (passage) => {
    await fault(passage, ...waiting(passage), { ...ask(passage), fault: 'no-answer', taken: true });
    await orderAll(passage);
    await whenRow(passage, ({ asks }) => asks === 2);
    await until(() => isStruck(passage));
    await passage.server.kill();
    return (await rowOf(passage))?.known_at === null;
  },
  'after it was asked, before that is recorded': async (passage) => {
    await fault(passage, ...waiting(passage), { ...ask(passage), ...PAUSED });
    await orderAll(passage);
    await killWaiting(passage, ofTransfer(await whenRow(passage, ({ asks }) => asks === 2)));
    return (await rowOf(passage))?.known_at === null;
  },
  'while the end is recorded, cut off': whileEndIsRecorded(true),
  'while the end is recorded, unheard': whileEndIsRecorded(false),
  'after the end was recorded, before its news': async (passage) => {
    await orderAll(passage);
    await whenRow(passage, ({ said }) => said !== null);
    await approve(passage.world, passage.built);
    await whenRow(passage, ({ known_at }) => known_at !== null);
    await passage.server.kill();
    return true;
  },
} as const satisfies Record<string, Point>;
