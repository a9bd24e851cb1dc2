import { writeFileSync } from 'node:fs';
import { hotStatement } from '#server/platform/hot-session.ts';
import { pageStatement } from '#server/invoices/invoice-page.queries.ts';
const text = (whose: 'hot all' | 'hot named', isFar: boolean) => hotStatement(pageStatement({ whose, sort: '-date', hasStatus: false, isFar, size: 10 }, 7)).text;
writeFileSync('/tmp/k/list-statement.md', `# The list's statements, for pgbench (branch list; regenerate rather than copy)

They are what the server itself sends (server/invoices/hot-list.service.ts): \`hotStatement(pageStatement({ whose, sort: '-date', hasStatus: false, isFar, size: 10 }, 7)).text\`
from \`#server/platform/hot-session.ts\` and \`#server/invoices/invoice-page.queries.ts\`; \`isFar\` is \`isFarPage(offset)\` (more than 500 rows before the page). Import them in the bench,
then the limit cannot fall behind. In the file for pgbench write \`:p1\` … for \`$1\` … on one line and give the values with \`-D p1=…\` (strings are allowed there, \`-M prepared\` sends them
as parameters).

**Send \`businessTag\` for clients, as the web does** (session's business; empty or absent for staff). A client's call without it takes the general way (three round trips), because the statement does
not know yet who asks. bench/api-list.ts on branch bench sends \`{ page }\` alone: that measures the general way for clients.

| value | is |
|---|---|
| $1 bytea | sha256 of the session's token |
| $2, $3 timestamptz | live since: now - 15 min (last_active_at), now - 12 h (created_at) |
| $4 timestamptz | now |
| $5 timestamptz | now - 1 s: the session is extended if last active before that (null: in the background) |
| $6 integer[] | who is let in: \`admitted(config, invoiceEndpoints.listInvoices)\`; without a required second factor {1,…,7,9,…,15} |
| hot named: $7 uuid, $8 integer | business's tag, rows before the page |
| hot all: $7 integer | rows before the page |

Pages: first = near with 0; middle and last = far where more than 500 rows come before, else near. Totals come from the counters in the same statement.

What a page costs PostgreSQL (processor time of the backend, µs, 1,000,000 invoices, one connection, 2,000 calls, machine at load 15 to 25): clients near 140 to 160 (480 rows passed over: 170), far 170 (3,544 rows)
to 230 (31,568 rows); staff first 140, near 480: 180, middle 230 to 250, last 230. Before: staff first 173 without a session, middle 27,000.

${(['hot named', 'hot all'] as const).flatMap((whose) => [false, true].map((isFar) => `## ${whose}, ${isFar ? 'far' : 'near'}\n\n\`\`\`sql\n${text(whose, isFar)}\n\`\`\`\n`)).join('\n')}`);
