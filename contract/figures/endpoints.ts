import { endpoint } from '#contract/endpoint.ts';
import { allFigures, bookFigures, incomeFigures, ownFigures } from './schema.ts';

/** The dashboards' figures. */
export const figureEndpoints = {
  ownFigures: endpoint({
    method: 'GET',
    path: '/figures/own',
    summary: 'What was paid out to the caller’s own business: running, this year, and by month',
    reply: ownFigures,
    needs: 'figures.own',
  }),
  allFigures: endpoint({
    method: 'GET',
    path: '/figures/all',
    summary: 'What waits for the staff, and amounts by state and by week',
    reply: allFigures,
    needs: 'figures.all',
  }),
  bookFigures: endpoint({
    method: 'GET',
    path: '/figures/book',
    summary: 'What is paid out and not paid back: by when it is due, by buyer and by client',
    reply: bookFigures,
    needs: 'figures.all',
  }),
  incomeFigures: endpoint({
    method: 'GET',
    path: '/figures/income',
    summary: 'What was collected against what was due, by week, and fee income by month',
    reply: incomeFigures,
    needs: 'figures.all',
  }),
} as const;
