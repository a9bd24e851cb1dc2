import { run } from '#simulators/ground/run.ts';
import { airtelSettings, keyPairIn } from './access.ts';
import { airtel } from './airtel.ts';

await run((settings, folder) => airtel(airtelSettings.parse(settings), keyPairIn(folder)));
