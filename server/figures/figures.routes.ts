import { figureEndpoints } from '#contract/figures/endpoints.ts';
import type { Routes } from '#server/http/http.ts';
import { readAllFigures, readBook, readIncome, readOwnFigures } from './figures.service.ts';

/** The figures of the dashboards. */
export function figureRoutes(routes: Routes): void {
  routes.byBody(figureEndpoints.ownFigures, readOwnFigures);
  routes.byBody(figureEndpoints.allFigures, readAllFigures);
  routes.byBody(figureEndpoints.bookFigures, readBook);
  routes.byBody(figureEndpoints.incomeFigures, readIncome);
}
