import { endpoint } from '#contract/endpoint.ts';
import { allFigures, ownFigures } from './schema.ts';

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
} as const;
