import { sql } from 'kysely'
import { listBounties } from '../../apps/server/src/modules/rewards/list-bounties.ts'
import { readTeamTree } from '../../apps/server/src/modules/team/read-team-tree.ts'
import { downlineStake, monthTotals } from '../../apps/server/src/modules/team/index.ts'
import type { Db } from '../../apps/server/src/platform/database.ts'

const ROUNDS = 40

async function p95(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return times.toSorted((a, b) => a - b)[Math.ceil(ROUNDS * 0.95) - 1] ?? 0
}

/**
 * Prints the 95th percentile of a leader's pages in milliseconds, for the leader above everybody and for one above about
 * a hundred people, with two hundred changes that are not folded yet.
 */
export async function timePages(db: Db): Promise<void> {
  const now = new Date('2026-03-02T23:59:59Z')
  const small = (
    await sql<{
      id: bigint
    }>`select member_id as id from team_total where people between 60 and 400 order by abs(people - 100), member_id limit 1`.execute(db)
  ).rows[0]?.id
  await sql`insert into team_delta (member_id, month, stake)
    select member_id, '2026-03-01', 100 from team_member where member_id % 97 = 0 order by member_id desc limit 200`.execute(db)
  const pages: [string, (id: bigint) => Promise<unknown>][] = [
    ['team tree', (id) => readTeamTree(db, id, undefined)],
    ['team totals', (id) => downlineStake(db, id)],
    ['month totals', (id) => monthTotals(db, id, now)],
    ['profit bounty page 1', (id) => listBounties(db, id, 0, { page: 1, limit: 25 })],
    ['profit bounty page 1000', (id) => listBounties(db, id, 0, { page: 1000, limit: 25 })],
  ]
  for (const [name, read] of pages) {
    const big = await p95(() => read(1n))
    const other = small === undefined ? null : await p95(() => read(small))
    console.log(
      `${name}: ${big.toFixed(1)} ms${other === null ? '' : `, above a hundred: ${other.toFixed(1)} ms, ${(big / other).toFixed(2)} times`}`,
    )
  }
}
