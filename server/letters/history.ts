import { z } from 'zod';
import type { LinkedEvent } from '#server/audit/audit.queries.ts';

/**
 * The events that an evidence letter lists: everything from the submission on and, from before it, only what was
 * submitted. Draft saves are summarised by their number and times.
 */

/** One or several events on one line. Their links are abbreviated. */
export interface HistoryLine {
  readonly first: LinkedEvent;
  /** The same as `first` if there is only one event. */
  readonly last: LinkedEvent;
  readonly times: number;
  /** The people's tags; null stands for the server itself. */
  readonly actors: readonly (string | null)[];
}

const saves: readonly string[] = ['invoice.changed', 'application.changed'];
/** The second is the name that the first version used. */
const submissions: readonly string[] = ['application.submit', 'application.submitted'];
const ofDocument = z.object({ typeId: z.number() });

/** Collects the events to list, given the events of an application and its documents in chain order. */
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

  /** The lines in recording order. */
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

/** The type of a document; there is one document of each. */
function typeOf({ subjectTag, before, after }: LinkedEvent): number | string {
  const told = ofDocument.safeParse(JSON.parse(after ?? before ?? 'null'));
  return told.success ? told.data.typeId : subjectTag;
}
