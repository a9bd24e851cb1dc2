import { z } from 'zod';
import type { LinkedEvent } from '#server/audit/audit.service.ts';

/**
 * What the evidence tells of an application's events: everything from its submission on, and before it what was submitted. A draft
 * may be saved any number of times, of which the letter says how often and when.
 */

/** One or several events, told in a line. Links are shown in part. */
export interface HistoryLine {
  readonly first: LinkedEvent;
  /** The same where there is one event. */
  readonly last: LinkedEvent;
  readonly times: number;
  /** Tags of who did it; null is Kasente itself. */
  readonly actors: readonly (string | null)[];
}

const saves: readonly string[] = ['invoice.changed', 'application.changed'];
/** The second is what the first version wrote. */
const submissions: readonly string[] = ['application.submit', 'application.submitted'];
const ofDocument = z.object({ typeId: z.number() });

/** Goes through the events of an application and its documents, each chain in its order, and keeps what is told of them. */
export class History {
  events = 0;
  readonly #whole: LinkedEvent[] = [];
  readonly #documents: LinkedEvent[] = [];
  #saves: HistoryLine | undefined;
  #submitted: LinkedEvent | undefined;

  next(event: LinkedEvent): void {
    this.events += 1;
    if (event.subjectType === 'document') this.#documents.push(event);
    else if (this.#submitted === undefined && saves.includes(event.action)) this.#saves = joined(this.#saves, event);
    else this.#whole.push(event);
    if (submissions.includes(event.action)) this.#submitted ??= event;
  }

  /** In the order of recording. */
  lines(): HistoryLine[] {
    const documents = this.#documents.toSorted((one, other) => one.id - other.id);
    const until = this.#submitted?.id ?? Number.POSITIVE_INFINITY;
    const submitted = new Map(documents.filter(({ id }) => id < until).map((event) => [typeOf(event), event]));
    const whole = [...this.#whole];
    let earlier: HistoryLine | undefined;
    for (const event of documents) {
      if (event.id < until && submitted.get(typeOf(event)) !== event) earlier = joined(earlier, event);
      else whole.push(event);
    }
    const joint = [this.#saves, earlier].filter((line) => line !== undefined);
    return [...whole.map((event) => joined(undefined, event)), ...joint].sort(
      (one, other) => one.first.id - other.first.id,
    );
  }
}

function joined(line: HistoryLine | undefined, event: LinkedEvent): HistoryLine {
  const { first = event, times = 0, actors = [] } = line ?? {};
  return {
    first,
    last: event,
    times: times + 1,
    actors: actors.includes(event.actorTag) ? actors : [...actors, event.actorTag],
  };
}

/** What a document is, such as a delivery note: it has one of each type. */
function typeOf({ subjectTag, before, after }: LinkedEvent): number | string {
  const told = ofDocument.safeParse(JSON.parse(after ?? before ?? 'null'));
  return told.success ? told.data.typeId : subjectTag;
}
