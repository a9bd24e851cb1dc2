import { expect, it } from 'vitest';
import { queueViewNames } from '#contract/desk/schema.ts';
import { placeOf, queuePath } from './queue-place.ts';

const paramsOf = (address: string) => new URL(address, 'https://kasente.test').searchParams;

it('every view has an address that leads back to it', () => {
  for (const view of queueViewNames) expect(placeOf(paramsOf(queuePath(view))).view).toBe(view);
  expect(queuePath('undecided')).toBe('/desk');
  expect(queuePath('overdue')).toBe('/desk?job=collect');
  expect(queuePath('late')).toBe('/desk?job=decide&filter=late');
});

it('an address that names nothing known opens the first of what it names', () => {
  expect(placeOf(paramsOf('/desk'))).toEqual({ job: 'decide', view: 'undecided' });
  expect(placeOf(paramsOf('/desk?job=nothing&filter=late'))).toEqual({ job: 'decide', view: 'late' });
  expect(placeOf(paramsOf('/desk?job=payOut&filter=late'))).toEqual({ job: 'payOut', view: 'toDisburse' });
});
