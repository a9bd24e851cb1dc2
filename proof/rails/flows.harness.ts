import { randomInt } from 'node:crypto';
import { succeed } from '#testing/case-builders.ts';
import { type DirectionId, directions, orderRest, payUnasked, transferOf } from './directions.harness.ts';
import type { Point } from './killing.harness.ts';
import { bringFiles, closeOnce, endByHand, explainAll, importStatement } from './officers.harness.ts';
import { asking, byFile, byStatement, closing, endingByHand, nextPart, preparing, sending } from './points.harness.ts';
import {
  type Fault,
  type PaidCase,
  type RailId,
  type RailsWorld,
  rails,
  type Special,
  untrueRefusal,
} from './rails.harness.ts';

/** The flows of money, the points at which their server is killed, and the steps after a kill. */

interface Flow {
  readonly direction: DirectionId;
  /** The case's state at the start: approved, or paid out. */
  readonly begins: Special | 'paid out';
  /** Whether a provider executes the payment and calls back. */
  readonly isCalled: boolean;
  readonly points: Readonly<Record<string, Point>>;
  /** The steps people take after a kill, until the server continues by itself. */
  rest(world: RailsWorld, built: PaidCase): Promise<void>;
}

/** Finishes the order; two officers settle a transfer whose provider is silent. */
async function finishOrder(direction: DirectionId, world: RailsWorld, built: PaidCase): Promise<void> {
  await orderRest(world, built, direction);
  const transfer = await transferOf(world, built, direction);
  if (transfer?.known_at === null && transfer.told_at !== null) await endByHand(world, built, transfer);
}

/** UGX 9,000,000: the proceeds exceed a wallet's limit for one payment. */
const IN_PARTS = { advance: 900_000_000 };

const flows = {
  payout: {
    direction: 'out',
    begins: {},
    isCalled: true,
    points: { ...preparing, ...sending, ...asking, ...endingByHand },
    rest: (...given) => finishOrder('out', ...given),
  },
  'payout in parts': {
    direction: 'out',
    begins: IN_PARTS,
    isCalled: true,
    points: nextPart,
    rest: (...given) => finishOrder('out', ...given),
  },
  'payout by file': {
    direction: 'out',
    begins: { isAtBank: true },
    isCalled: false,
    points: byFile,
    rest: async (world, built) => {
      await orderRest(world, built, 'out');
      await bringFiles(world, built.officer);
      await succeed(importStatement(world, built.officer, 'bank'));
    },
  },
  request: {
    direction: 'in',
    begins: 'paid out',
    isCalled: true,
    points: { ...sending, ...asking, ...endingByHand },
    rest: (...given) => finishOrder('in', ...given),
  },
  'payment unasked': {
    direction: 'in',
    begins: 'paid out',
    isCalled: false,
    points: byStatement,
    rest: async (world, built) => {
      await payUnasked(world, built);
      await succeed(importStatement(world, built.officer, built.rail));
    },
  },
  day: {
    direction: 'in',
    begins: 'paid out',
    isCalled: false,
    points: closing,
    rest: async ({ bank }, { officer, payer }) => {
      const [day] = bank.charges;
      if (day === undefined) return;
      await explainAll(officer, day);
      await closeOnce(payer, day);
    },
  },
} as const satisfies Record<string, Flow>;

/** A point in a flow at which the server is killed. */
export interface Stop extends Omit<Flow, 'points'> {
  readonly id: string;
  readonly flow: string;
  readonly point: Point;
}

/** Every point of every flow. */
export const stops: readonly Stop[] = Object.entries<Flow>(flows).flatMap(([flow, { points, ...one }]) =>
  Object.entries(points).map(([name, point]) => ({ ...one, flow, point, id: `${flow} ${name}` })),
);

/** Further faults of a case after the kill, each limited in number. */
const noisesOf = (rail: RailId, operation: 'transfer' | 'request'): readonly Fault[] => [
  untrueRefusal(rail, operation),
  { fault: 'lose-answer', operation, count: 1 },
  { fault: 'error-after', status: 500, operation, count: 1 },
  { fault: 'error-before', status: 503, operation, count: 1 },
  { fault: 'late-answer', ms: 3_000, operation, count: 1 },
  { fault: 'lose-answer', operation: `${operation}-status`, count: 1 },
  { fault: 'late-answer', ms: 3_000, operation: `${operation}-status`, count: 1 },
  { fault: 'callback', how: 'twice' },
  { fault: 'callback', how: 'late', seconds: 2 },
  { fault: 'callback', how: 'never' },
  ...['reference', 'amount', 'status', 'host'].map((wrong) => ({ fault: 'forged-callback', wrong, count: 1 })),
  { fault: 'statement', how: 'missing', operation: 'transfer', count: 1 },
];

/** Two random faults for the rest of a case; one case in ten is refused. */
export function noiseFor({ rail, msisdn }: PaidCase, direction: DirectionId): readonly Fault[] {
  const { operation } = directions[direction];
  const noises = noisesOf(rail, operation);
  const chosen = [0, 0].map(() => noises[randomInt(noises.length)] ?? {});
  const refused = { fault: 'refuse', reason: rails[rail].refusals[direction], operation, count: 1 };
  return [...chosen, ...(randomInt(10) === 0 ? [refused] : [])].map((one) => ({ ...one, msisdn }));
}
