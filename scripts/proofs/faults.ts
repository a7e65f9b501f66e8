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
      'apps/server/src/modules/rewards/runs/kill-run.test.ts': ['is finished by the next one, whichever batch it died after'],
    },
    seen: "six worker processes, each killed with SIGKILL after another batch: the next one goes on, every member has exactly the day's reward",
  },
  {
    fault: 'F04 the worker dies in a mail job',
    tests: { 'apps/server/src/gateways/mailer/send-mails.test.ts': ['sends the mail again after the claim, under the same Message-ID'] },
    seen: 'the mail goes again after the claim, under the same Message-ID',
  },
  {
    fault: 'F04 the product is killed under load',
    tests: {
      'e2e/crash.spec.ts': [
        'loses and doubles no transfer when the API is killed under load on PostgreSQL',
        'loses and doubles no transfer when the product is killed under load on the embedded database',
      ],
    },
    seen: '20 kills on PostgreSQL and 20 on the embedded database lose nothing and double nothing',
  },
  {
    fault: 'F05 a run is cut, and run again',
    tests: {
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': ['ends the same when it is cut off anywhere, again and again'],
      'apps/server/src/modules/rewards/runs/kill-run.test.ts': ['leaves every day closed once, in order'],
    },
    seen: 'cut after any batch, it ends as the run that was not cut',
  },
  {
    fault: 'F05 two workers start at once',
    tests: {
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': ['pays once when two workers start at the same moment'],
    },
    seen: 'one pays, the other finds the lease taken',
  },
  {
    fault: 'F06 a stale worker wakes up',
    tests: {
      'apps/server/src/modules/rewards/runs/kill-run.test.ts': [
        'pays once when a worker is stopped past its lease, another one finishes, and it wakes up',
      ],
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': ['a stale worker that wakes up after another one finished has no effect'],
    },
    seen: 'a process stopped (SIGSTOP) past its lease and woken (SIGCONT) after another one finished has no second effect; `runs/run-rewards.test.ts` shows the same for the lease alone',
  },
  {
    fault: 'F06 a stale worker goes on',
    tests: { 'apps/server/test/properties/faults/stale-worker.test.ts': ['writes nothing in $name, whichever step it had come to'] },
    seen: 'every job, overtaken before each of its steps, writes nothing from then on',
  },
  {
    fault: 'F19 the clock jumps forward',
    tests: {
      'apps/server/src/modules/rewards/runs/run-days.test.ts': [
        'makes up three days by itself, waits for a person beyond, and goes on when one has come',
      ],
      'apps/server/src/modules/rewards/runs/run-due.test.ts': ['misses nothing, whatever way the clock moves between two turns'],
    },
    seen: 'three days are made up, the rest waits for a person; nothing is missed, whatever way the clock moves between two turns',
  },
  {
    fault: 'F19 the clock jumps forward',
    tests: { 'apps/server/src/modules/auth/clock-jumps.test.ts': ['forward by %s ends tokens and codes, and new ones work'] },
    seen: 'by an hour, a day, a year: tokens and codes end, new ones work',
  },
  {
    fault: 'F20 the clock jumps back',
    tests: {
      'apps/server/src/modules/rewards/runs/run-rewards.test.ts': ['pays nothing twice and skips nothing when the clock jumps back'],
      'apps/server/src/modules/rewards/runs/run-due.test.ts': [
        'knows after each turn up to when nothing waits, and looks at everything after a clock that was set back',
      ],
    },
    seen: 'no day is paid twice, none is skipped',
  },
  {
    fault: "F20 a machine's clock is another than the database's",
    tests: {
      'apps/server/src/jobs/set-back.test.ts': [
        'a clock that jumped by %i days does nothing, says why, and goes on when it is right again',
      ],
    },
    seen: 'no job runs by it, no day is paid before it has come',
  },
  {
    fault: 'F20 the clock jumps back',
    tests: {
      'apps/server/src/modules/auth/clock-jumps.test.ts': [
        'back by %s lets no code be used twice, keeps the order of the trail, and breaks nothing',
      ],
    },
    seen: 'a used code stays used; the audit trail keeps its order and its chain',
  },
  {
    fault: 'F21 clocks change for summer time',
    tests: {
      'apps/server/src/modules/rewards/runs/time-zones.test.ts': ['are UTC days around %s', 'holds every session in UTC'],
    },
    seen: "the worker's process in New York, the database set to Havana or Newfoundland: over 8 March and over 1 November every day, payment, week, forecast and calendar entry is the one of a house in UTC, and two kinds of guard stand behind it: each session sets its zone, and the statements name UTC",
  },
  {
    fault: 'F21 midnight, leap day, ends of months',
    tests: {
      'apps/server/src/modules/rewards/life.test.ts': ['ends as the model ends, to the unit, with nothing wrong in the books'],
      'apps/server/src/modules/rewards/runs/run-days.test.ts': [
        'pays on the purchase day of the month, on the last one where it has no such day, and ends',
      ],
    },
    seen: '400 days with leap day end as the model ends, to the unit; months of 28 to 31 days pay once, on the last day where there is no such day',
  },
  {
    fault: "the database's host falls silent, lines left open, with or without PgBouncer between",
    tests: {
      'apps/server/test/properties/faults/unresponsive-upstream.postgres.test.ts': [
        'answers every call in time, says that it is not ready, and works again by itself',
        'every call of the wire is answered in time, and those of members and staff are "try again"',
        'ends in time when it is told to in the silence',
        'a worker leaves silent lines, works on once new ones reach the database, and ends',
      ],
    },
    seen: 'an API process and a worker, before a database, a pooler, or a database behind a pooler that stops answering: every call is answered 503, ready says no; once new lines reach the database all works again by itself, a worker too; a statement that takes long is no silence; SIGTERM in the silence ends',
  },
  {
    fault: 'the database is moved, restarted, full, only reads, deadlocks, or a line breaks',
    tests: {
      'apps/server/test/properties/faults/database-faults.test.ts': [
        'at any statement of %s is "try again", and leaves nothing',
        '%s, at any statement, is "try again"',
        'says that it is not ready while the database only reads',
      ],
    },
    seen: 'each SQLSTATE of operations at each statement of a read, a write, a grouped and a single money call, a payout, a proof for one, a read and a decision of staff, and an upload, and at one statement of every call of the wire, the lost line at all of them: 503 with `Retry-After` in the one form, nothing kept',
  },
  {
    fault: 'a table is locked',
    tests: {
      'apps/server/src/http/calls/money-calls.test.ts': [
        'are all answered within one limit behind a table that somebody locked, and done once it is free',
      ],
    },
    seen: 'forty transfers in one group are all answered within one limit',
  },
  {
    fault: 'more calls than the house carries',
    tests: {
      'apps/server/src/http/server/shed-load.test.ts': [
        'is answered 503 above what the house carries, and the others in full',
        'lets wait who does not: a line that comes again at once has its answer when the time is over, and goes in where there is room by then',
      ],
    },
    seen: '503 with `Retry-After` in the one form, before they are read; who comes again before that time over the same line is answered when it is over, so that a flood which does not listen leaves the processor to the others; `npm run bench -- overload` measures memory and throughput under ten times what is carried',
  },
  {
    fault: 'a caller comes too often',
    tests: {
      'apps/server/test/properties/money/rate-limits.test.ts': ['%s takes ten calls of an address, and says for how long no more'],
      'apps/server/src/http/server/shed-load.test.ts': ['says with each 429 when to come again'],
    },
    seen: 'each call with a limit answers 429 with `Retry-After`, holds to it to the millisecond, and takes calls again then; and in every test of the server a 429 or 503 without `Retry-After`, or one that its call does not declare, fails that test',
  },
  {
    fault: 'calls while the process ends',
    tests: {
      'apps/server/src/http/server/drain.test.ts': [
        'answers in full what is open and what still comes over open lines while the process ends, and says that they end',
      ],
    },
    seen: 'nothing new is taken on; what is open, and what still comes over open lines, is answered in full',
  },
  {
    fault: 'one process takes the place of another under load',
    tests: {
      'apps/server/test/properties/faults/zero-downtime-restart.postgres.test.ts': [
        'loses no call while one process takes the place of another',
      ],
      'apps/server/src/main/wait-for-schema.test.ts': [
        'ends with a sentence on a schema that it will never work on, and at a signal while it waits',
      ],
    },
    seen: 'no call fails, directly and through nginx and Caddy (also `npm run drill:deploy`); an older version ends with a sentence on a schema that is too new for it (`apps/server/src/main/wait-for-schema.test.ts`)',
  },
  {
    fault: "the provider's answers come finer than money, in parts, out of order, or can't be read",
    tests: {
      'apps/server/src/modules/deposits/payment-parts.test.ts': [
        'whatever is heard of two payments, in any order: what arrived is credited, once',
      ],
      'apps/server/src/gateways/payment-provider/read-payment.test.ts': ['that can not be read is nobody’s money: %s'],
    },
    seen: 'whatever is heard of two payments of an order, in any order: what arrived is credited, once; the rest waits for a person',
  },
  {
    fault: 'a reward run that staff start takes long',
    tests: {
      'apps/server/src/modules/staff/rewards/start-reward-run.test.ts': [
        'answers at once with a run that goes on, and with the end of a short one',
      ],
    },
    seen: 'the call is answered, and the run goes on',
  },
  {
    fault: 'two money calls of one member, or of leader and team, meet',
    tests: {
      'apps/server/test/properties/money/money-pairs.test.ts': [
        'causes no deadlock when it meets other money calls of the same member, and of leader and team',
        'knows every money route of the wire',
      ],
    },
    seen: 'every pair of money routes against each other: nobody waits in a circle',
  },
  {
    fault: 'work that does not end, whatever it waits for',
    tests: {
      'apps/server/src/http/calls/request-timeout.test.ts': [
        'a call of the kind %s whose work does not end is answered in time, with or without a body',
        'what waits behind others until its caller has an answer is not done after that',
      ],
    },
    seen: 'every kind of call is answered 503 within ten seconds of its arrival; what stood in line by then is not begun any more',
  },
  {
    fault: 'a process dies before it commits, or before it answers',
    tests: {
      'apps/server/test/properties/faults/fault-points.test.ts': [
        'at %s leaves nothing or all of a %s, and a repeat brings it to once (%s)',
      ],
    },
    seen: 'at every named point of the code, money calls and notices: nothing by half, and a repeat has one effect',
  },
  {
    fault: 'an upload does not end, or breaks off',
    tests: {
      'apps/server/src/http/server/upload.test.ts': [
        'cuts an upload %s at its limit while it arrives',
        'takes an upload that breaks off for no fault of ours',
      ],
    },
    seen: 'cut at its limit while it arrives, whatever length it claims; a broken-off one is no fault of ours',
  },
  {
    fault: 'pictures come faster than they are read, or are too large',
    tests: {
      'apps/server/src/modules/support/support.test.ts': [
        'lets 20 pictures wait and refuses the next ones at once, until there is room',
        'refuses more pixels than 4096 × 4096 without decoding them',
      ],
    },
    seen: 'twenty wait, the next ones are refused; pixels are counted before a picture is decoded',
  },
  {
    fault: 'a body, a query or an address of any shape',
    tests: {
      'apps/server/test/properties/security/bad-input.test.ts': [
        '%s, it is refused in the one form or done, and never breaks',
        'the address of %s, it is refused in the one form or answered',
      ],
    },
    seen: 'every call answers a clear 4xx in the one form and changes no table',
  },
  {
    fault: 'processes start at once on one empty database, or on an old one',
    tests: {
      'apps/server/src/platform/db/migrate.test.ts': [
        'lets several first starts on one empty database succeed, with one of them at work',
        'lets calls pass while it waits for a table, and gives up in the end',
      ],
      'apps/server/src/main/wait-for-schema.test.ts': [
        'says what the schema lacks, takes no call meanwhile, and goes to work when it is there',
      ],
    },
    seen: 'one works, the others wait and say for what; calls pass while a migration waits for a table',
  },
  {
    fault: 'a data folder that others may read',
    tests: {
      'apps/server/src/platform/embedded/private-folder.test.ts': [
        'closes a data folder that others could enter, and leaves nothing in it within their reach',
      ],
    },
    seen: 'it is made private, with all that is in it',
  },
  {
    fault: 'keys, notices, mails and sessions whose time is over',
    tests: {
      'apps/server/test/properties/operations/retention.test.ts': [
        'go when their time is over, more than one batch of them, and not before',
        'are found by an index: $table',
      ],
    },
    seen: 'they go in batches, found by an index, and not before',
  },
  {
    fault: "the web app meets another maker's server",
    tests: {
      'apps/web/src/app/spec-lists.browser.test.tsx': ['${ids} ${path} lists what a server of the specification sends'],
      'apps/web/src/app/spec-places.browser.test.tsx': ['${ids} ${path} shows what a server of the specification sends'],
      'apps/web/src/app/spec-money.browser.test.tsx': [
        '${ids} [ST-38] [UI-M-COMMON-03] ${title} is sent with the keys of the specification and tells what the server says',
      ],
    },
    seen: 'only the calls and keys of the requirements are there: every place, list, form and money move works',
  },
  {
    fault: "the web app's reads are refused, or the network is gone",
    tests: {
      'apps/web/src/app/spec-places.browser.test.tsx': ['%s only logs that nothing can be loaded, and waits for nothing any more'],
      'apps/web/src/app/frame.browser.test.tsx': [
        'a page says so, and shows what it waited for once the network is back',
        'a part beside the page that does not arrive says so, and leaves the page and what was typed',
      ],
      'e2e/shell.spec.ts': ['shows a page whose code could not load as soon as the network is back'],
    },
    seen: 'no place goes on waiting for what was refused; a page without a network says so, and goes on by itself when there is one',
  },
  {
    fault: 'a row of an answer is damaged',
    tests: { 'apps/web/src/app/damaged-lists.browser.test.tsx': ['%s shows every row that is there, with any one of its keys damaged'] },
    seen: 'every key of a row of 21 lists, each in four ways: the row shows what it has, a figure is the one that was sent or a dash',
  },
  {
    fault: 'a pooler in transaction mode stands between',
    tests: {
      'apps/server/src/platform/db/database.test.ts': [
        'leaves nothing in the session, as a pooler hands it to somebody else after each transaction',
        'asks for no setting when a line is opened, which a pooler refuses',
      ],
    },
    seen: 'nothing is asked when a line is opened, nothing stays in a session, and the limits hold in and outside of transactions',
  },
]
