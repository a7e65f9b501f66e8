import { globSync } from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vitest/config'
import { readExtent, selectFiles } from './test/extent.ts'
import { searchTimeout } from './test/search.ts'

const IN_SERVER = 'apps/server/**/'

/**
 * Files that a short run also runs on the embedded database. `embedded/statements.test.ts` compares every statement there. These files
 * test the rest: the connection, the single session, and function bodies, which no database checks before they run.
 */
const SHORT_EMBEDDED = [
  // Deferred and pipelined statements, savepoints, session settings, migrations, rows as JSON.
  'platform/db/{database,migrate,insert-rows}.test.ts',
  'diagnostics/database.test.ts',
  // Batches of calls, advisory locks, `skip locked`, repeatable reads, thousands of rows in one statement.
  'http/calls/money-calls.test.ts',
  'jobs/background-jobs.test.ts',
  'ledger/{post,post-bulk,holds,statement,audit}.test.ts',
  // One file for each kind of money movement.
  'coin/coin.test.ts',
  'nfts/nfts.test.ts',
  'rewards/runs/run-rewards.test.ts',
  'staking/staking.test.ts',
  'withdrawals/withdrawals.test.ts',
].map((files) => IN_SERVER + files)

/**
 * Files that never run on the embedded database, which runs the same SQL files as PostgreSQL, one call at a time:
 * - tests of connections to a database server;
 * - property tests over the whole product, such as bad input, staff rights, brute force and random sequences of calls. They test rules
 *   and not a database. Each feature has other tests on both databases;
 * - tests of single SQL conditions, row by row;
 * - tests with two transactions at the same time;
 * - tests that need no database, or start a database of their own. Both projects would run the same.
 */
const NOT_EMBEDDED = [
  '*.postgres.test.ts',
  'properties/money/{audit-causes,audit-growth,audit-windows,no-free-money.wire}.test.ts',
  'properties/security/{attack-replay,bad-input}.test.ts',
  'properties/security/brute-force.test.ts',
  'properties/faults/upstream-timeouts.test.ts',
  'modules/reconciliation/{books-by-row,check-addresses,check-wallets,checkpoint}.test.ts',
  'staff/access/access.test.ts',
  'staff/duties/{approval-limits,single-staff-member}.test.ts',
  'staff/proposals/second-person.test.ts',
  'deposits/{apply-payment,watch-invoices}.test.ts',
  'withdrawals/sending/{adopt-paid,answer-sending,follow-chain,send-again,sign-queued}.test.ts',
  'gateways/chain/{chain-rows,chain-node,handle-reorg,sweeping/sign-moves}.test.ts',
  'rewards/no-free-money.test.ts',
  'rewards/pool/coverage-history.test.ts',
  'rewards/simulation/simulation.test.ts',
  'ledger-simulator/simulator.test.ts',
  'cli/tizara.test.ts',
  'main/routes.test.ts',
  'properties/operations/embedded-backup.test.ts',
  'properties/faults/embedded-small-disk.test.ts',
  'cli/settings-file/settings-file.test.ts',
  'cli/backup/postgres-tool.test.ts',
  'platform/config/{settings-file,config,blank-settings,printable}.test.ts',
  'platform/embedded/{embedded-protocol,private-folder}.test.ts',
  'platform/db/group-commit.test.ts',
  'platform/runtime/ids.test.ts',
  'gateways/**/{signer,deposit-address,templates,payment-provider,read-payment,open-receiver}.test.ts',
  'events/events.test.ts',
  'http/**/{request-timeout,startup-responder,json,web-files,openapi}.test.ts',
  'sandbox/**/*.test.ts',
  '*.rules.test.ts',
].map((files) => IN_SERVER + files)

/** Limit of a test and of a hook in ms. A busy machine may need minutes to start several processes, each with its own database. */
const TEST_MS = 300_000

/** Vitest's limit for polls, 1 s, is too short on a busy machine. */
const expect = { requireAssertions: true, poll: { timeout: 30_000 } }

/**
 * Files that only `--all` runs. Each is slow and tests code that changes rarely:
 * - installation, replicas, full disks, unresponsive hosts, signals at startup, restarts without downtime, each finding of the doctor,
 *   database errors under each kind of call, payments from the first poll to a restored backup;
 * - the chain simulator on a real node, whose short run uses a fake one, and the restore of a day-old backup in a fixed order;
 * - backups, rotated secrets, the application's database role, processes that wait for their schema or run as a service, alerts on the
 *   metrics of running processes, a machine whose clock jumps, killed or helping workers of a reward run;
 * - long property tests of rules that shorter tests also check: seasons of money calls, a life of 400 days, the coverage over a long
 *   history, every order of three price changes, months of rank bonuses, simulations of a programme;
 * - a worker with slow upstream services, a watcher without a private key, an audit over a longer history, staff members who decide at
 *   the same time, the data of the demo (which the end-to-end tests also use), calls at the same moment, repeated attacks, links in mails
 *   that others request, erased accounts;
 * - commands whose file cannot be opened.
 */
export const EXTENDED = [
  'test/install.test.ts',
  'test/command-files.test.ts',
  'scripts/command-line.test.ts',
  'apps/server/test/properties/faults/{webhook-kills.postgres,full-disk.postgres,zero-downtime-restart.postgres,replica.postgres,replica-reads.postgres,unresponsive-upstream.postgres,small-disk.postgres}.test.ts',
  'apps/server/src/{main/termination.postgres,main/rotate-secrets,platform/db/wait-for-schema}.test.ts',
  'apps/server/test/properties/operations/{embedded-backup,service.postgres,watching.postgres,machine-clock.postgres}.test.ts',
  'apps/server/src/{diagnostics/silent-hosts,modules/rewards/runs/{assist-runs,kill-run}}.test.ts',
  'apps/server/test/properties/security/application-role.test.ts',
  'apps/server/src/cli/{accounts,backup,import,import-kills,screening,restored-access,restored-addresses,restored-imports,restored-journal,restored-stop,setup}.postgres.test.ts',
  'apps/server/src/cli/tizara.test.ts',
  'apps/server/test/properties/faults/{database-faults,stale-worker}.test.ts',
  'apps/server/src/cli/payments.postgres.test.ts',
  'apps/server/test/chain-simulator/{real-node,day-old-backup}.postgres.test.ts',
  'apps/server/src/diagnostics/signs.postgres.test.ts',
  'apps/server/test/properties/faults/embedded-small-disk.test.ts',
  'apps/server/src/modules/rewards/{life,no-free-money}.test.ts',
  'apps/server/test/properties/money/no-free-money.wire.test.ts',
  'apps/server/src/modules/rewards/{pool/coverage-history,runs/time-zones,simulation/simulation}.test.ts',
  'apps/server/src/modules/staff/proposals/shared/price-change-notice-search.postgres.test.ts',
  'apps/server/test/properties/money/{audit-growth,racing-staff}.test.ts',
  'apps/server/test/properties/faults/upstream-timeouts.test.ts',
  'apps/server/test/properties/operations/watch-only.postgres.test.ts',
  'apps/server/src/sandbox/demo/seed-demo.test.ts',
  'apps/server/test/properties/money/one-moment.postgres.test.ts',
  'apps/server/test/properties/security/{attack-replay,mailed-links}.test.ts',
  'apps/server/src/modules/personal-data/erasure/erase-accounts.postgres.test.ts',
]

/** Files that replace modules, the clock or the environment of their process. All other files share loaded modules. */
const ISOLATED = [
  'rewards/no-free-money.test.ts',
  'jobs/set-back.test.ts',
  'platform/db/group-commit.test.ts',
  'http/calls/request-timeout.test.ts',
  'cli/backup/postgres-tool.test.ts',
  'platform/embedded/private-folder.test.ts',
].map((files) => IN_SERVER + files)

const extent = readExtent()
const DEPENDENCIES = ['**/node_modules/**']

const filesOf = (include: string[], exclude: string[] = []) =>
  globSync(include, { cwd: import.meta.dirname, exclude: [...DEPENDENCIES, ...exclude] }).toSorted()

/** Files of a project that run at this extent: a short run, a complete run, or only the rest of one (test/extent.ts). */
const selected = (include: string[], exclude: string[] = []) =>
  selectFiles({ files: filesOf(include, exclude), extended: EXTENDED }, extent)

const server = (name: string, isolate: boolean, include: string[]) => ({
  test: {
    name,
    include,
    globalSetup: ['apps/server/test/global-setup.ts'],
    alias: [{ find: /^@node-rs\/argon2$/, replacement: path.join(import.meta.dirname, 'apps/server/test/cheap-argon2.ts') }],
    setupFiles: ['apps/server/test/setup.ts'],
    testTimeout: searchTimeout(TEST_MS),
    hookTimeout: TEST_MS,
    // A race must not hide at a desk, and must not cost a submission. The run lists what passes only when repeated.
    retry: process.env['CI'] === undefined ? 0 : 1,
    // Some tests assert only on PostgreSQL.
    expect: { ...expect, requireAssertions: !name.includes('embedded') },
    pool: 'forks' as const,
    isolate,
  },
})

/** Tests that compare the embedded database with PostgreSQL. */
const EMBEDDED_ONLY = 'apps/server/test/embedded/*.test.ts'
const SERVER_TESTS = ['apps/server/**/*.test.ts']

/** Files on the embedded database, by extent. */
const EMBEDDED_FILES = {
  short: filesOf([EMBEDDED_ONLY, ...SHORT_EMBEDDED]),
  added: filesOf(SERVER_TESTS, [...NOT_EMBEDDED, ...SHORT_EMBEDDED]),
  all: filesOf(SERVER_TESTS, NOT_EMBEDDED),
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'packages',
          include: selected(['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'tools/**/*.test.ts']),
          testTimeout: TEST_MS,
          hookTimeout: TEST_MS,
          expect,
        },
      },
      server('server', false, selected(SERVER_TESTS, [...ISOLATED, EMBEDDED_ONLY])),
      server('server-isolated', true, selected(ISOLATED)),
      // With `--all` it also runs files that change their process.
      server('server-embedded', extent !== 'short', EMBEDDED_FILES[extent]),
      { test: { name: 'web-unit', root: 'apps/web', include: ['src/**/*.test.ts'], testTimeout: 30_000, expect, isolate: false } },
      'apps/web',
    ],
  },
})
