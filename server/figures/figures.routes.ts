import { figureEndpoints } from '#contract/figures/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { readAllFigures, readBook, readIncome, readOwnFigures } from './figures.service.ts';

/** The figures of the dashboards. */
export function figureRoutes(routes: Routes): void {
  const { platform } = routes;

  routes.signedIn(figureEndpoints.ownFigures, ({ caller }) => readOwnFigures(platform, caller));
  routes.signedIn(figureEndpoints.allFigures, ({ caller }) => readAllFigures(platform, caller));
  routes.signedIn(figureEndpoints.bookFigures, ({ caller }) => readBook(platform, caller));
  routes.signedIn(figureEndpoints.incomeFigures, ({ caller }) => readIncome(platform, caller));
}
