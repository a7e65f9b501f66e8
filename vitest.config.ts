import { defineConfig } from 'vitest/config'

const AT_SERVER = 'apps/server/**/'

/**
 * What is no other on the embedded engine, which runs the same SQL files as PostgreSQL, one call at a time:
 * - what is about the lines to a server has nothing to test without one;
 * - searches over the whole house (every call with bad input, every call of staff made alone, every secret guessed, every cause that
 *   the audit names, rows that are read of a long history, seasons and lives of drawn moves) are about rules, not about an engine. Each
 *   capability has its own suite on both;
 * - nor are tests that read, row by row, what each single condition on the ways of real money keeps out;
 * - what opens no database of a project, or an engine of its own, is in both projects the same.
 */
const ONCE = [
  '*.postgres.test.ts',
  'main/{audit-causes,audit-growth,audit-windows,bad-input,no-free-money.wire}.test.ts',
  'main/{guessed-secrets,outside-hangs}.test.ts',
  'main/reconcile/{books-by-row,check-addresses,check-wallets,checkpoint}.test.ts',
  'staff/{access,decide-alone,one-alone,second-person}.test.ts',
  'deposits/{apply-payment,watch-invoices}.test.ts',
  'withdrawals/sending/{adopt-paid,answer-sending,follow-chain,send-again,sign-queued}.test.ts',
  'gateways/chain/{chain-rows,evm-node,follow-reorganisation,sweeping/sign-moves}.test.ts',
  'rewards/no-free-money.test.ts',
  'rewards/pool/cover-history.test.ts',
  'rewards/trials/trial.test.ts',
  'ledger-simulator/simulator.test.ts',
  'main/{tizara,embedded-backup,embedded-small-disk,documented-commands,routes}.test.ts',
  'main/{house/house-file,backup/postgres-tool}.test.ts',
  'platform/{settings-file,embedded-units,private-folder,config,blank-settings,group-commit,ids,printable}.test.ts',
  'gateways/**/{signer,deposit-address,templates,payment-provider,read-payment}.test.ts',
  'http/**/{answer-in-time,before-ready,json,web-files,openapi}.test.ts',
  'sandbox/**/*.test.ts',
  '*.rules.test.ts',
].map((files) => AT_SERVER + files)

/** By itself one second, which a crowded machine lets pass between a change and the news of it. */
const expect = { requireAssertions: true, poll: { timeout: 15_000 } }

const server = (name: string, exclude: string[] = []) => ({
  test: {
    name,
    include: ['apps/server/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...exclude],
    globalSetup: ['apps/server/test/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect,
    pool: 'forks' as const,
  },
})

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'packages',
          include: ['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          testTimeout: 30_000,
          expect,
        },
      },
      server('server'),
      server('server-embedded', ONCE),
      { test: { name: 'web-unit', root: 'apps/web', include: ['src/**/*.test.ts'], testTimeout: 30_000, expect } },
      'apps/web',
    ],
  },
})
