import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { alertFindings } from '../../../src/diagnostics/alerts.ts'
import { alertMeaning } from '../../../src/modules/staff/index.ts'
import { platformAlerts } from '../../../src/modules/staff/operations/platform-alerts.ts'
import * as payoutProblems from '../../../src/modules/withdrawals/sending/sending-problem.ts'
import { testDatabase } from '../../database.ts'

const root = new URL('../../../../../', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, root), 'utf8')
/** Returns the text of a chapter, up to the next one. */
const chapter = (file: string, title: string) => read(file).split(`\n## ${title}\n`)[1]?.split('\n## ')[0] ?? ''

const { db } = await testDatabase()
const NOW = new Date('2026-03-02T12:00:00Z')
beforeEach(async () => {
  await sql`delete from chain_incident`.execute(db)
  await sql`delete from chain_difference`.execute(db)
})

/** Values that a column may have, from its check constraint. */
async function kindsOf(table: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = ${table}::regclass and conname = ${`${table}_kind_check`}`.execute(
    db,
  )
  return [...(rows[0]?.text ?? '').matchAll(/'([A-Z_]+)'::text/g)].map(([, kind = '']) => kind)
}

/** Alert of each kind, and whether it starts an emergency pause. */
const INCIDENTS: Readonly<Record<string, readonly [alert: string, stops: boolean]>> = {
  FINAL_GONE: ['reorganised', true],
  TOO_DEEP: ['unread', true],
  WALLET_SPENT: ['spent', true],
  PAYOUT_GONE: ['lost', true],
  SWEEP_GONE: ['lost', true],
  UNCLAIMED: ['unclaimed', false],
}

describe('incident of the chain', () => {
  it('has a row in this table for each kind that the database accepts', async () => {
    expect((await kindsOf('chain_incident')).toSorted()).toEqual(Object.keys(INCIDENTS).toSorted())
  })

  it.each(Object.entries(INCIDENTS))(
    'of kind %s has an alert, a meaning, a doctor line and a runbook entry',
    async (kind, [alert, stops]) => {
      await sql`insert into chain_incident (kind, noted_at, from_block, transfers) values (${kind}, ${NOW}, 7, '["0xab"]')`.execute(db)
      const [raised, ...others] = (await platformAlerts(db, NOW)).filter(({ name }) => name.startsWith(`${alert}:`))
      if (raised === undefined) throw new Error('no alert')
      expect([others, raised.stops, raised.level]).toEqual([[], stops, stops ? 'red' : 'amber'])
      expect(alertMeaning(raised.name)).toEqual({ meaning: expect.stringMatching(/\w/), href: expect.stringMatching(/^\/staff/) })
      const [line] = (await alertFindings(db, NOW)).filter(({ what }) => what === raised.text)
      expect(line).toMatchObject({ area: 'chain', fix: 'follow “Incidents of the chain” in docs/runbook.md' })
      const entry = chapter('docs/runbook.md', 'Incidents of the chain')
        .split('\n')
        .find((row) => row.startsWith(`| \`${alert}\` |`))
      const texts = [...(entry?.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
      expect(texts.filter((text) => raised.text.replace('payment is', 'payments are').includes(text))).toHaveLength(1)
      if (stops) expect(chapter('docs/runbook.md', 'Automatic stops')).toContain(`| the same (\`${alert}\`) |`)
    },
  )
})

/** Words that the table in chain.md has for each kind of difference. */
const DIFFERENCES: Readonly<Record<string, string>> = {
  UNSEEN: 'an address holds more than the watcher saw',
  MISSING: 'an address holds less than arrived and was not swept',
  UNCREDITED: 'a final payment was not credited',
  NATIVE: 'an address holds more native coin than the worker sent',
  RECEIPT: 'a payment was final, but three days later its receipt has another amount',
  DEPOSITS: 'a ledger account differs from the payments that arrived or left',
  PAYOUTS: 'a ledger account differs from the payments that arrived or left',
}

describe('difference between chain and ledger', () => {
  it('has a row in this table for each kind that the database accepts', async () => {
    expect((await kindsOf('chain_difference')).toSorted()).toEqual(Object.keys(DIFFERENCES).toSorted())
  })

  it.each(Object.entries(DIFFERENCES))(
    'of kind %s has an alert from its second comparison on, and an entry in the guide',
    async (kind, entry) => {
      const alerts = async () => (await platformAlerts(db, NOW)).filter(({ name }) => name === 'difference')
      await sql`insert into chain_difference (kind, subject, expected, found, first_seen_at, last_seen_at)
      values (${kind}, '0xa', 2, 1, ${NOW}, ${NOW})`.execute(db)
      expect(await alerts()).toEqual([])
      await sql`update chain_difference set last_seen_at = last_seen_at + interval '1 hour'`.execute(db)
      // Any sender can send native coin to an address.
      expect((await alerts()).map(({ level, mailed }) => [level, mailed])).toEqual(kind === 'NATIVE' ? [] : [['amber', true]])
      expect(chapter('docs/chain.md', 'Reconciliation of chain and ledger')).toContain(`| ${entry} |`)
    },
  )
})

it.each(Object.values(payoutProblems).filter((problem) => typeof problem === 'string'))(
  'a payout with the problem “%s” has a runbook entry',
  (problem) => {
    expect(chapter('docs/runbook.md', 'Payouts on the chain')).toContain(`\`${problem}\``)
  },
)

const SWEEPING = 'apps/server/src/gateways/chain/sweeping'
it.each(
  ['sign-moves.ts', 'token-sweep-problems.queries.ts'].flatMap((file) =>
    [...read(`${SWEEPING}/${file}`).matchAll(/(?:NotSwept\(|_LEFT = |problem: |then |else )'([^']+)'/g)].map(([, problem = '']) => problem),
  ),
)('a token sweep with the problem “%s” has a runbook entry', (problem) => {
  const entries = chapter('docs/runbook.md', 'Token sweeps')
  expect(
    entries.includes(`\`${problem}\``) || (problem.startsWith('gas for an address') && entries.includes('or gas for an address')),
  ).toBe(true)
})
