import type { Tests } from './proof-tests.ts'

/** Fault, the tests that cause it, and the checked result. */
export interface Fault {
  fault: string
  tests: Tests
  seen: string
}

/** Faults caused by tests. `npm run docs:make` writes them into docs/faults.md. */
export const FAULTS: readonly Fault[] = [
  {
    fault: 'F04 the worker is killed in a reward run',
    tests: {
      'apps/server/src/modules/rewards/runs/kill-run.test.ts': ['is finished by the next worker, whichever batch it died after'],
    },
    seen: "Each of six worker processes is killed with SIGKILL after a different batch. The next worker continues, and every member gets exactly the day's reward.",
  },
  {
    fault: 'F04 the worker is killed in a mail job',
    tests: {
      'apps/server/src/gateways/mailer/send-mails.test.ts': ['sends the mail again after the claim expires, under the same Message-ID'],
    },
    seen: 'After the claim on the mail expires, another worker sends it again with the same Message-ID.',
  },
  {
    fault: 'F04 the product is killed under load',
    tests: {
      'e2e/crash.spec.ts': [
        'loses and duplicates no transfer when the API is killed under load on PostgreSQL',
        'loses and duplicates no transfer when the server is killed under load on the embedded database',
      ],
    },
    seen: 'The test kills the product 20 times on PostgreSQL and 20 times on the embedded database. Nothing is lost or duplicated.',
  },
  {
    fault: 'F05 a reward run is interrupted and repeated',
    tests: {
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': ['ends the same after any number of interruptions at any call'],
      'apps/server/src/modules/rewards/runs/kill-run.test.ts': ['leaves every day closed once, in order'],
    },
    seen: 'A run that is interrupted after any batch ends like an uninterrupted run.',
  },
  {
    fault: 'F05 two workers start at once',
    tests: {
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': ['pays once when two workers start at the same time'],
    },
    seen: 'One worker pays, and the other one finds the lease taken.',
  },
  {
    fault: 'F06 a worker resumes after its lease has expired',
    tests: {
      'apps/server/src/modules/rewards/runs/kill-run.test.ts': [
        'pays once when a worker is stopped past its lease, another one finishes, and the first resumes',
      ],
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': [
        'has no effect from a stale worker that resumes after another one finished',
      ],
    },
    seen: 'A worker is stopped (SIGSTOP) until its lease has expired and another worker has finished. After it resumes (SIGCONT), it pays nothing a second time. `runs/run-rewards.test.ts` shows the same for the lease without processes.',
  },
  {
    fault: 'F06 a worker loses its lease at any step',
    tests: { 'apps/server/test/properties/faults/stale-worker.test.ts': ['writes nothing in $name, at any step'] },
    seen: 'The test lets another worker take over before each step of every job. The first worker writes nothing from then on.',
  },
  {
    fault: 'F19 the clock jumps forward',
    tests: {
      'apps/server/src/modules/rewards/runs/run-days.test.ts': [
        'pays up to three missed days automatically, requires approval beyond that, and then continues',
      ],
      'apps/server/src/modules/rewards/runs/run-due.test.ts': ['misses nothing, however the clock moves between two runs'],
    },
    seen: 'The worker pays up to three missed days, and later days wait for a person. It skips nothing when the clock moves between two runs, in either direction.',
  },
  {
    fault: 'F19 the clock jumps forward: tokens and codes',
    tests: { 'apps/server/src/modules/auth/clock-jumps.test.ts': ['forward by %s expires tokens and codes, and new ones work'] },
    seen: 'After a jump by an hour, a day or a year, old tokens and codes have expired and new ones work.',
  },
  {
    fault: 'F20 the clock jumps back',
    tests: {
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': ['pays nothing twice and skips nothing when the clock is set back'],
      'apps/server/src/modules/rewards/runs/run-due.test.ts': [
        'remembers after each run until when nothing is due, and checks everything after the clock was set back',
      ],
    },
    seen: 'The server pays no day twice and skips no day.',
  },
  {
    fault: "F20 a machine's clock differs from the database's",
    tests: {
      'apps/server/src/jobs/set-back.test.ts': [
        'a worker whose clock is wrong by %i days runs nothing, reports why, and resumes when the clock is right',
      ],
    },
    seen: 'A worker with a wrong clock runs no job, and no day is paid before it begins.',
  },
  {
    fault: 'F20 the clock jumps back',
    tests: {
      'apps/server/src/modules/auth/clock-jumps.test.ts': [
        'back by %s reuses no code, keeps the order of the audit log, and breaks nothing',
      ],
    },
    seen: 'A used code stays used. The audit log keeps its order and its chain.',
  },
  {
    fault: 'F21 clocks change for summer time',
    tests: {
      'apps/server/src/modules/rewards/runs/time-zones.test.ts': ['reward days are UTC days around %s', 'every session uses UTC'],
    },
    seen: "The worker's process runs in New York, and the database is set to Havana or Newfoundland. Around 8 March and 1 November, every day, payment, week, forecast and calendar entry equals that of an instance in UTC. Two rules ensure this: each session sets its time zone, and the statements use UTC explicitly.",
  },
  {
    fault: 'F21 midnight, leap day, ends of months',
    tests: {
      'apps/server/src/modules/rewards/life.test.ts': ['ends like the model to the unit, with all audits passing'],
      'apps/server/src/modules/rewards/runs/run-days.test.ts': [
        'are paid on the purchase day of the month, or its last day if it is shorter, until the term ends',
      ],
    },
    seen: '400 days with a leap day end with the amounts of an independent model, to the unit. An NFT pays once per month, on the day of its purchase, or on the last day of a shorter month.',
  },
  {
    fault: "the database's host stops responding with open connections, with or without PgBouncer",
    tests: {
      'apps/server/test/properties/faults/unresponsive-upstream.postgres.test.ts': [
        'answers every call in time, reports not ready, and recovers automatically',
        'every API call is answered in time, and calls of members and staff with "try again"',
        'shuts down in time',
        'a worker drops silent connections, continues on new ones, and stops',
      ],
    },
    seen: 'The test runs an API process and a worker with a database, a pooler, or a database behind a pooler that stops answering. Every call gets 503, and the readiness check fails. When new connections reach the database, API and worker recover without a restart. A slow statement does not count as an unresponsive host. SIGTERM stops the process also while the host does not respond.',
  },
  {
    fault: 'the database is moved, restarted, full, read-only or deadlocked, or a connection breaks',
    tests: {
      'apps/server/test/properties/faults/database-faults.test.ts': [
        'at any statement of %s answers "try again", and changes nothing',
        '%s answers "try again" for a fault at any statement',
        'reports not ready while the database is read-only',
      ],
    },
    seen: 'The tests cause each operational SQLSTATE at each statement of nine kinds of calls: a read, a write, a batched and a single money call, a payout, a proof for a payout, a read and a decision of staff, and an upload. They also cause each SQLSTATE at one statement of every other call of the contract, and a lost connection at all statements. The caller gets 503 with `Retry-After` in the common error format, and the transaction is rolled back.',
  },
  {
    fault: 'a table is locked',
    tests: {
      'apps/server/src/http/calls/money-calls.test.ts': [
        'are all answered within one time limit while a table is locked, and run when it is free',
      ],
    },
    seen: 'All forty transfers of one batch are answered within one time limit.',
  },
  {
    fault: 'more calls than the capacity',
    tests: {
      'apps/server/src/http/server/shed-load.test.ts': [
        'answers 503 above the capacity, and completes the accepted calls',
        'delays an early retry on the same connection, and accepts it if there is capacity by then',
      ],
    },
    seen: 'The server answers 503 with `Retry-After` in the common error format, before it reads the bodies. If a client retries too early on the same connection, the server delays its answer until that time. Clients that ignore the header therefore leave the processor to the others. `npm run bench -- overload` measures memory and throughput under ten times the capacity.',
  },
  {
    fault: 'a caller exceeds a rate limit',
    tests: {
      'apps/server/test/properties/money/rate-limits.test.ts': ['%s accepts ten calls per address, and then answers how long to wait'],
      'apps/server/src/http/server/shed-load.test.ts': ['sets Retry-After on each 429'],
    },
    seen: 'Each call with a limit answers 429 with `Retry-After`, rejects calls until exactly this time, and then accepts them again. Every server test fails on a 429 or 503 without `Retry-After`, and on one that its call does not declare.',
  },
  {
    fault: 'calls arrive while the process stops',
    tests: {
      'apps/server/src/http/server/drain.test.ts': [
        'finishes open calls and calls on open connections during shutdown, and closes the connections',
      ],
    },
    seen: 'The process accepts no new connections. It completes all calls in progress, and those that still arrive over open connections.',
  },
  {
    fault: 'one process replaces another under load',
    tests: {
      'apps/server/test/properties/faults/zero-downtime-restart.postgres.test.ts': [
        'loses no call while a new process replaces the old one',
      ],
      'apps/server/src/main/wait-for-schema.test.ts': [
        'exits with an error for a schema that it can never use, and on a signal while it waits',
      ],
    },
    seen: 'No call fails, directly and through nginx and Caddy (also `npm run drill:deploy`). An older version exits with an error message if the schema is too new for it (`apps/server/src/main/wait-for-schema.test.ts`).',
  },
  {
    fault: "the provider's answers have too many decimals, come in parts or out of order, or are unreadable",
    tests: {
      'apps/server/src/modules/deposits/payment-parts.test.ts': ['of two payments reported in any order: credits the received amount once'],
      'apps/server/src/gateways/payment-provider/read-payment.test.ts': ['counts as zero with status unknown when unreadable: %s'],
    },
    seen: 'The tests report the two payments of an invoice in every sequence. The server credits each received amount once. What it cannot read waits for a person.',
  },
  {
    fault: 'a reward run started by staff takes long',
    tests: {
      'apps/server/src/modules/staff/rewards/start-reward-run.test.ts': [
        'answers at once for a run in progress, and with the result of a short one',
      ],
    },
    seen: 'The server answers the call at once, and the run continues.',
  },
  {
    fault: 'two money calls of one member, or of leader and team, run at the same time',
    tests: {
      'apps/server/test/properties/money/money-pairs.test.ts': [
        'causes no deadlock in parallel with other money calls of the member, the leader and the team',
        'covers every money route of the contract',
      ],
    },
    seen: 'The tests run every pair of money routes against each other, and no pair deadlocks.',
  },
  {
    fault: 'the work of a call never finishes',
    tests: {
      'apps/server/src/http/calls/request-timeout.test.ts': [
        'a call of kind %s that never finishes is answered in time, with or without a body',
        'a queued call does not run after its caller got an answer',
      ],
    },
    seen: 'Every kind of call gets 503 within ten seconds of its arrival. A call that is still queued by then is never executed.',
  },
  {
    fault: 'a process is killed before it commits, or before it answers',
    tests: {
      'apps/server/test/properties/faults/fault-points.test.ts': [
        'at %s leaves nothing or all of a %s, and a repeat completes it once (%s)',
      ],
    },
    seen: 'The tests kill the process at every fault point of the code, for money calls and for webhooks of the payment provider. Each call has its whole effect or none, and a repeat has one effect.',
  },
  {
    fault: 'an upload never ends, or is aborted',
    tests: {
      'apps/server/src/http/server/upload.test.ts': [
        'cuts off an upload %s at the limit while it arrives',
        'accepts an aborted upload without logging an error',
      ],
    },
    seen: 'The server cuts an upload off at the size limit while it arrives, regardless of its declared length. An aborted upload is not a server error.',
  },
  {
    fault: 'pictures arrive faster than the server decodes them, or are too large',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'queue up to 20, and refuse more at once until there is room',
        'above 4096 × 4096 pixels are refused without decoding',
      ],
    },
    seen: 'Up to twenty pictures wait; the server rejects further ones. It counts the pixels of a picture before it decodes it.',
  },
  {
    fault: 'a body, a query or a URL has any content',
    tests: {
      'apps/server/test/properties/security/bad-input.test.ts': [
        '%s is rejected in the error form or accepted, and never causes a server error',
        'the URL of %s is rejected in the error form or answered',
      ],
    },
    seen: 'Every call answers a clear 4xx in the common error format and changes no table.',
  },
  {
    fault: 'several processes start at once on one empty or old database',
    tests: {
      'apps/server/src/platform/db/migrate.test.ts': [
        'succeeds for several parallel first starts on one empty database, and runs once',
        'lets other calls pass while it waits for a table lock, and gives up in the end',
      ],
      'apps/server/src/main/wait-for-schema.test.ts': [
        'reports what the schema lacks, rejects calls until then, and starts when the schema is complete',
      ],
    },
    seen: 'One process migrates. The others wait and log the reason. Calls continue while a migration waits for a table.',
  },
  {
    fault: 'other users can read the data folder',
    tests: {
      'apps/server/src/platform/embedded/private-folder.test.ts': ['makes an accessible data folder and its content private'],
    },
    seen: 'The server makes the folder and all its contents private.',
  },
  {
    fault: 'expired rows accumulate: idempotency keys, webhooks, mails and sessions',
    tests: {
      'apps/server/test/properties/operations/retention.test.ts': [
        'are deleted after their retention time in several batches, and not before',
        'are found by an index: $table',
      ],
    },
    seen: 'A job deletes them in batches, finds them with an index, and deletes none early.',
  },
  {
    fault: 'the web app runs against a server of another vendor',
    tests: {
      'apps/web/src/app/spec-lists.browser.test.tsx': ['${ids} ${path} lists the rows of a server that implements only the specification'],
      'apps/web/src/app/spec-places.browser.test.tsx': ['${ids} ${path} shows the data of a server that implements only the specification'],
      'apps/web/src/app/spec-money.browser.test.tsx': [
        '${ids} [ST-38] [UI-M-COMMON-03] ${title} sends the keys of the specification and shows the server’s message',
      ],
    },
    seen: 'The server offers only the calls and keys of the requirements. Every page, list and form works, money forms included.',
  },
  {
    fault: "the web app's reads fail, or the network is down",
    tests: {
      'apps/web/src/app/spec-places.browser.test.tsx': ['%s only logs that every load failed, and ends its loading state'],
      'apps/web/src/app/frame.browser.test.tsx': [
        'shows the offline note, and the page’s data when the network returns',
        'shows an error for a part that failed to load, and keeps the page and the typed text',
      ],
      'e2e/shell.spec.ts': ['shows a page when the network returns after its code failed to load'],
    },
    seen: 'No page stays in its loading state after a failed read. An offline page shows a note, and continues when the network is back.',
  },
  {
    fault: 'a row of a response has an invalid value',
    tests: { 'apps/web/src/app/damaged-lists.browser.test.tsx': ['%s shows every row when one key of a row is invalid'] },
    seen: 'The test replaces every key of a row of 21 lists by four kinds of invalid values. The row shows its other data, and each figure is the sent one or a dash.',
  },
  {
    fault: 'a pooler in transaction mode is in front of the database',
    tests: {
      'apps/server/src/platform/db/database.test.ts': [
        'statements leave no session state for the next client of a pooler',
        'connections send no startup options, which a pooler would refuse',
      ],
    },
    seen: 'The server requests no setting when it opens a connection, and leaves no state in a session. The time limits apply inside and outside transactions.',
  },
  {
    fault: 'one deposit earns two referral rewards: by a transfer in the same batch, or by a coin sale and a new purchase',
    tests: {
      'apps/server/src/modules/rewards/instant/new-money.test.ts': [
        'earns a reward once, for the part of a purchase that it paid, and is spent first',
        'is restored up to the USD of the sale when the price fell, and up to the price paid when it rose',
      ],
    },
    seen: 'Each deposited dollar earns one referral reward. The USD of a sale can earn a referral reward again only as far as the sale reversed the first one.',
  },
  {
    fault: 'USD that was not deposited earns a referral reward',
    tests: {
      'apps/server/src/modules/rewards/instant/new-money.test.ts': [
        'leaves no pending reward for coin that is bought and sold repeatedly',
        'is sent after other money, and only as far as the payment needs it',
      ],
    },
    seen: 'No sale, NFT month or transfer creates USD that can earn a referral reward.',
  },
  {
    fault: 'the reward pool counts as unencumbered funds',
    tests: {
      'apps/server/src/ledger/balance-sheet.test.ts': [
        'counts the reward pool and holds as liabilities, and coin of the platform as no reserve',
      ],
    },
    seen: 'The balance sheet counts promised and held USD as liabilities, and counts no coin of the platform as a reserve.',
  },
  {
    fault: 'members sell more coin than the platform can pay for',
    tests: {
      'apps/server/test/properties/money/sales-race.postgres.test.ts': [
        'pays one of two sales that race for the last cent, and refuses the other with what is left',
      ],
      'apps/server/test/properties/money/no-stop-by-members.test.ts': [
        'keeps the balance sheet at or above zero, and pauses nothing, whatever members call',
      ],
    },
    seen: 'The balance of the sales fund never goes below zero. No call by members pauses the platform.',
  },
  {
    fault: 'calls of one batch all use the balance from before the batch',
    tests: {
      'apps/server/test/properties/money/grouped-calls.test.ts': [
        '%s in a batch has the result of single calls, in any order, with refusals in between',
      ],
    },
    seen: 'Each call of a batch uses the balance after the previous calls.',
  },
  {
    fault: 'concurrent stakes each count the full coverage of the pool, or staff credit coin that is reserved for rewards',
    tests: {
      'apps/server/src/modules/rewards/pool/concurrent-coverage.postgres.test.ts': [
        'is given to one of three parallel stakes when it is enough for one',
        'is not used for an RCM credit when it is reserved for liabilities',
      ],
      'apps/server/src/modules/rewards/pool/coverage.test.ts': [
        'check refuses a stake whose liability exceeds pool and commitment, to the unit',
      ],
    },
    seen: "The last step of each use case checks the coverage again under a lock. A stake's rank budget is part of its liability.",
  },
  {
    fault: 'a chain of puppet accounts collects rank bonuses, or overloads the rank job',
    tests: {
      'apps/server/src/modules/rewards/instant/rank-bonus.test.ts': [
        'pay nothing to a line of puppets above one staker, and return its budget',
        'count at most half of a threshold from one direct referral',
        'read a line of 10,000 free accounts above one stake once, and give them nothing',
      ],
      'apps/server/src/modules/rewards/instant/blocked-leader.postgres.test.ts': [
        'gets nothing when the block commits before the hand-out has read the leader',
      ],
    },
    seen: 'One referral branch alone cannot reach a rank threshold. A chain of 10,000 registrations is summed within the time limit of a statement.',
  },
  {
    fault: 'members profit from a price change, or from two servers with different clocks',
    tests: {
      'apps/server/src/modules/staff/proposals/shared/price-change-notice.test.ts': [
        'counts all moves of 24 hours, up and down, also back to a price of the same day',
      ],
      'apps/server/src/modules/settings/trade-prices.rules.test.ts': [
        'are the higher and the lower of both prices until 24 hours after the start of an announced one',
        'never let a member sell above the price of a purchase when every change is announced a day ahead',
      ],
      'apps/server/test/properties/money/announced-prices.test.ts': [
        'a %s without notice brings nothing on two servers when the clock of one is 20 s %s',
      ],
    },
    seen: 'Price changes without notice total at most 5 % in 24 hours. Around an announced change, members buy at the higher and sell at the lower price.',
  },
  {
    fault: 'a clock that jumps ahead pays rewards',
    tests: {
      'apps/server/src/modules/rewards/runs/run-days.test.ts': [
        'releases no pending reward after a clock that jumps, until a person has paid the missing days',
      ],
    },
    seen: 'Reward runs and releases of pending rewards wait until a person continues them.',
  },
  {
    fault: 'level rewards of a long plan have no maximum, or an NFT is reversed at another price',
    tests: {
      'apps/server/src/modules/rewards/instant/hold-levels.test.ts': [
        'equal the shares of all earning uplines to the unit, due with each source, for any batch of sales',
      ],
      'apps/server/src/modules/staff/proposals/kinds/purchase-reversal.test.ts': [
        'returns an NFT in its payment asset, and puts the unit on sale again',
      ],
    },
    seen: 'Plans of `fullLevelShareDays` days or more earn the full level reward and no more. A reversal returns the asset and amount that were paid.',
  },
]
