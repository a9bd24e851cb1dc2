/**
 * Shifts the clock of a whole process, including its libraries, by CLOCK_SKEW_MS milliseconds; loaded by Node's
 * `--import`.
 */
const skewMs = Number(process.env.CLOCK_SKEW_MS);
const TrueDate = Date;
const shifted = (): number => TrueDate.now() + skewMs;

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [shifted()] : args, newTarget),
  apply: () => new TrueDate(shifted()).toString(),
  get: (target, key) => (key === 'now' ? shifted : Reflect.get(target, key)),
});
