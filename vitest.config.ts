import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { readExtent, selectFiles } from './test/extent.ts'
import { searchTimeout } from './test/search.ts'

const AT_SERVER = 'apps/server/**/'

/**
 * Files of the short run on the embedded engine. All statements are compared there by `embedded/statements.test.ts`, so that these
 * cover the rest: the connection to the engine, its one session, and the bodies of functions, which no engine reads before they run.
 */
const ON_EMBEDDED = [
  // Deferred and pipelined statements, savepoints, settings of a session, migrations, rows as JSON.
  'platform/db/{database,migrate,insert-rows}.test.ts',
  'diagnostics/database.test.ts',
  // Groups of calls in one transaction, advisory locks, `skip locked`, repeatable reads, thousands of rows in one statement.
  'http/calls/money-calls.test.ts',
  'jobs/background-jobs.test.ts',
  'ledger/{post,post-bulk,holds,statement,audit}.test.ts',
  // One suite for each way of money.
  'coin/coin.test.ts',
  'deposits/invoices.test.ts',
  'nfts/nfts.test.ts',
  'rewards/runs/run-rewards.test.ts',
  'staking/staking.test.ts',
  'transfers/transfers.test.ts',
  'withdrawals/withdrawals.test.ts',
].map((files) => AT_SERVER + files)

/**
 * Files that never run on the embedded engine, which runs the same SQL files as PostgreSQL, one call at a time:
 * - what is about the lines to a server has nothing to test without one;
 * - searches over the whole house (every call with bad input, every call of staff made alone, every secret guessed, every cause that
 *   the audit names, rows that are read of a long history, seasons and lives of drawn moves) are about rules, not about an engine. Each
 *   capability has its own suite on both;
 * - nor are tests that read, row by row, what each single condition on the ways of real money keeps out;
 * - what opens no database of a project, or an engine of its own, is in both projects the same.
 */
const ONCE = [
  '*.postgres.test.ts',
  'properties/money/{audit-causes,audit-growth,audit-windows,no-free-money.wire}.test.ts',
  'properties/security/bad-input.test.ts',
  'properties/security/brute-force.test.ts',
  'properties/faults/upstream-timeouts.test.ts',
  'modules/reconciliation/{books-by-row,check-addresses,check-wallets,checkpoint}.test.ts',
  'staff/access/access.test.ts',
  'staff/duties/{approval-limits,single-staff-member}.test.ts',
  'staff/proposals/second-person.test.ts',
  'deposits/{apply-payment,watch-invoices}.test.ts',
  'withdrawals/sending/{adopt-paid,answer-sending,follow-chain,send-again,sign-queued}.test.ts',
  'gateways/chain/{chain-rows,evm-node,handle-reorg,sweeping/sign-moves}.test.ts',
  'rewards/no-free-money.test.ts',
  'rewards/pool/cover-history.test.ts',
  'rewards/simulation/simulation.test.ts',
  'ledger-simulator/simulator.test.ts',
  'cli/tizara.test.ts',
  'main/routes.test.ts',
  'properties/operations/{embedded-backup,documented-commands}.test.ts',
  'properties/faults/embedded-small-disk.test.ts',
  'cli/settings-file/settings-file.test.ts',
  'cli/backup/postgres-tool.test.ts',
  'platform/config/{settings-file,config,blank-settings,printable}.test.ts',
  'platform/embedded/{embedded-protocol,private-folder}.test.ts',
  'platform/db/group-commit.test.ts',
  'platform/runtime/ids.test.ts',
  'gateways/**/{signer,deposit-address,templates,payment-provider,read-payment}.test.ts',
  'http/**/{request-timeout,startup-responder,json,web-files,openapi}.test.ts',
  'sandbox/**/*.test.ts',
  '*.rules.test.ts',
].map((files) => AT_SERVER + files)

/** By itself one second, which a crowded machine lets pass between a change and the news of it. */
const expect = { requireAssertions: true, poll: { timeout: 15_000 } }

/**
 * Files that only `--all` runs. Each is slow, and what it proves depends on few places of the code:
 * - installations, replicas, full disks, silent hosts, signals while a process starts, processes that replace each other, each sign of the doctor,
 *   each failure of the database under each kind of call, payments from the first poll to a restored backup;
 * - backups, changed secrets, the database role of the documents, and processes that wait for their schema or run as a service, each
 *   with many processes of its own;
 * - long searches whose rules shorter tests also check: whole seasons of money, a life of 400 days, the cover of a long history,
 *   every order of three price changes, months of rank bonuses, a draft of the programme on a month that was played.
 */
export const EXTENDED = [
  'test/install.test.ts',
  'scripts/command-line.test.ts',
  'apps/server/test/properties/faults/{full-disk.postgres,zero-downtime-restart.postgres,replica.postgres,replica-reads.postgres,unresponsive-upstream.postgres,small-disk.postgres}.test.ts',
  'apps/server/src/main/{termination.postgres,rotate-secrets,wait-for-schema}.test.ts',
  'apps/server/test/properties/operations/{embedded-backup,service.postgres}.test.ts',
  'apps/server/test/properties/security/application-role.test.ts',
  'apps/server/src/cli/{backup,restored-access,restored-addresses,restored-journal,setup}.postgres.test.ts',
  'apps/server/src/cli/tizara.test.ts',
  'apps/server/test/properties/faults/{database-faults,stale-worker}.test.ts',
  'apps/server/src/cli/payments.postgres.test.ts',
  'apps/server/src/diagnostics/signs.postgres.test.ts',
  'apps/server/test/properties/faults/embedded-small-disk.test.ts',
  'apps/server/src/modules/rewards/{life,no-free-money}.test.ts',
  'apps/server/src/modules/rewards/{pool/cover-history,runs/time-zones,simulation/simulation}.test.ts',
  'apps/server/src/modules/staff/proposals/shared/price-change-notice-search.postgres.test.ts',
]

/** Files that replace modules, the clock or the environment of their process. All others share the modules that a worker has loaded. */
const ISOLATED = [
  'rewards/no-free-money.test.ts',
  'jobs/set-back.test.ts',
  'platform/db/group-commit.test.ts',
  'http/calls/request-timeout.test.ts',
  'cli/backup/postgres-tool.test.ts',
  'platform/embedded/private-folder.test.ts',
].map((files) => AT_SERVER + files)

const extent = readExtent()
const NOT_OURS = ['**/node_modules/**']

const filesOf = (include: string[], exclude: string[] = []) =>
  globSync(include, { cwd: import.meta.dirname, exclude: [...NOT_OURS, ...exclude] }).toSorted()

/** Files of a project that run at this extent. */
const selected = (include: string[], exclude: string[] = []) =>
  selectFiles({ files: filesOf(include, exclude), extended: EXTENDED }, extent)

const server = (name: string, isolate: boolean, include: string[]) => ({
  test: {
    name,
    include,
    globalSetup: ['apps/server/test/global-setup.ts'],
    setupFiles: ['apps/server/test/setup.ts'],
    testTimeout: searchTimeout(60_000),
    hookTimeout: 60_000,
    // Some tests have nothing to prove on the embedded engine, and assert only on PostgreSQL.
    expect: { ...expect, requireAssertions: !name.includes('embedded') },
    pool: 'forks' as const,
    isolate,
  },
})

/** Tests of the embedded engine in comparison with PostgreSQL. */
const EMBEDDED_ALONE = 'apps/server/test/embedded/*.test.ts'
const SERVER_TESTS = ['apps/server/**/*.test.ts']

/** Files on the embedded engine: few in `npm test`, the others in what `--all` adds. */
const ON_EMBEDDED_AT = {
  short: filesOf([EMBEDDED_ALONE, ...ON_EMBEDDED]),
  added: filesOf(SERVER_TESTS, [...ONCE, ...ON_EMBEDDED]),
  all: filesOf(SERVER_TESTS, ONCE),
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'packages',
          include: selected(['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'tools/**/*.test.ts']),
          testTimeout: 30_000,
          expect,
        },
      },
      server('server', false, selected(SERVER_TESTS, [...ISOLATED, EMBEDDED_ALONE])),
      server('server-isolated', true, selected(ISOLATED)),
      // With `--all` it also has files that change their process.
      server('server-embedded', extent !== 'short', ON_EMBEDDED_AT[extent]),
      { test: { name: 'web-unit', root: 'apps/web', include: ['src/**/*.test.ts'], testTimeout: 30_000, expect, isolate: false } },
      'apps/web',
    ],
  },
})
