import { formatFixed, formatUnits } from '@tizara/money'
import { sql } from 'kysely'
import { balanceSheetOf, currentPause, systemBalances } from '../ledger/index.ts'
import { nftsOnSale } from '../modules/nfts/index.ts'
import { coverageOf, maxGroupGain } from '../modules/rewards/index.ts'
import { currentSettings, hasSetupEnded } from '../modules/settings/index.ts'
import { currentOffer } from '../modules/staff/index.ts'
import { plansOnSale } from '../modules/staking/index.ts'
import type { Config } from '../platform/config/config.ts'
import type { Db } from '../platform/db/database.ts'
import { readClockOffset } from '../platform/db/follow-clock.ts'
import { shellCommand } from '../platform/runtime/release.ts'
import { findingsFor, formatAge, type Finding } from './finding.ts'

/** Checks that members find staff, prices, offers and funds. `alertFindings` reports what pauses or halts them. */
export async function platformFindings(
  db: Db,
  now: Date,
  { mode, sandbox, staffSecondFactor }: Pick<Config, 'mode' | 'sandbox' | 'staffSecondFactor'>,
): Promise<Finding[]> {
  return [
    ...(mode === 'production' ? await clockFindings(db) : []),
    ...(await stopFindings(db)),
    ...(await balanceFindings(db)),
    ...(await staffFindings(db, staffSecondFactor)),
    ...(sandbox ? [] : await setupFindings(db)),
    ...(await offerFindings(db, now)),
    ...(await maxGainFindings(db, now)),
    ...(await rewardFindings(db)),
    ...(await queueFindings(db, now)),
  ]
}

/** Reports a clock that a sandbox or a developer has moved. Production processes do not start then. */
async function clockFindings(db: Db): Promise<Finding[]> {
  const seconds = await readClockOffset(db)
  if (seconds === 0) return []
  const fix = 'use a database that no sandbox has used; API and worker do not start on this one (docs/settings.md)'
  return [findingsFor('platform').bad(`its clock is moved by ${seconds} seconds (table clock_offset)`, fix)]
}

/** Reports emergency pauses in force. Only staff end a pause, even after its cause is over. */
async function stopFindings(db: Db): Promise<Finding[]> {
  const stop = await currentPause(db)
  if (stop === undefined) return []
  const what = `payouts, credits and reward runs are paused since ${stop.since.toISOString()}: ${stop.why}`
  return [
    findingsFor('platform').bad(what, `${shellCommand('staff resume-platform reason=TEXT')}; another admin approves it`, {
      since: stop.since,
    }),
  ]
}

/** Shows the balance sheet in USD. Free reserves below zero, which only a booked loss can cause, have a separate alert. */
async function balanceFindings(db: Db): Promise<Finding[]> {
  const { reserves, liabilities, free } = balanceSheetOf(await systemBalances(db))
  if (free < 0n) return []
  const figures = `${formatFixed(reserves)} USD of reserves, ${formatFixed(liabilities)} USD of liabilities`
  return [findingsFor('balance sheet').good(figures)]
}

async function staffFindings(db: Db, needsSecondFactor: boolean): Promise<Finding[]> {
  const { good, warning, bad } = findingsFor('staff')
  const { rows } = await sql<{ admins: number; without: number }>`
    select count(*) filter (where role = 'ADMIN')::int as admins, count(*) filter (where not second_factor)::int as without
    from member where role <> 'MEMBER' and is_active`.execute(db)
  const { admins = 0, without = 0 } = rows[0] ?? {}
  if (admins === 0) return [bad('there is no admin', shellCommand('setup'))]
  const findings: Finding[] = []
  if (admins === 1)
    findings.push(
      warning(
        'there is only one admin: actions that need two people are blocked',
        shellCommand('staff grant-role email=EMAIL role=ADMIN reason=TEXT'),
      ),
    )
  if (admins === 2)
    findings.push(
      warning(
        'two admins: neither can remove the other, so a stolen admin account cannot be shut out; three are recommended',
        shellCommand('staff grant-role email=EMAIL role=ADMIN reason=TEXT'),
      ),
    )
  if (without > 0 && needsSecondFactor)
    findings.push(
      warning(`staff without an authenticator app, and so without console access: ${without}`, 'each of them sets it up in the profile'),
    )
  return findings.length > 0
    ? findings
    : [
        good(
          without === 0
            ? `${admins} admins; all staff have an authenticator app`
            : `${admins} admins; an authenticator app is optional here, and ${without} have none`,
        ),
      ]
}

/** Reports an initial setup that is still open: until its end no member can register. */
async function setupFindings(db: Db): Promise<Finding[]> {
  const { good, warning } = findingsFor('setup')
  if (await hasSetupEnded(db)) return [good('the setup is closed and members can register')]
  return [warning('the setup is open, so no member can register', shellCommand('setup --admin EMAIL --done'))]
}

async function offerFindings(db: Db, now: Date): Promise<Finding[]> {
  const { good, warning } = findingsFor('offer')
  const settings = await currentSettings(db, now)
  const [plans, nfts] = [await plansOnSale(db, now), await nftsOnSale(db, now)]
  const findings: Finding[] = []
  if (settings.version === 1)
    findings.push(
      warning(
        `the price of the coin is the documented default, ${formatUnits(settings.coinPrice)} USD`,
        shellCommand('settings import platform.json'),
      ),
    )
  if (plans.length === 0) findings.push(warning('no stake plan is on sale', shellCommand('settings import platform.json')))
  if (nfts.length === 0) findings.push(warning('no NFT is on sale', shellCommand('settings import platform.json')))
  return findings.length > 0 ? findings : [good(`${plans.length} stake plans and ${nfts.length} NFTs on sale`)]
}

/** Reports when a group of members could withdraw more than its capital earns (RW-14). */
async function maxGainFindings(db: Db, now: Date): Promise<Finding[]> {
  const { good, warning, bad } = findingsFor('programme')
  const offer = await currentOffer(db, now)
  const { perMonth, warnings } = maxGroupGain(offer)
  if (perMonth === null) return [bad('a group of members can withdraw without limit', shellCommand('programme max-gain'))]
  const open = warnings.map((text) => warning(text, shellCommand('settings import platform.json')))
  return open.length > 0 ? open : [good(`a group of members can withdraw at most ${formatUnits(perMonth)} % of its capital in 30 days`)]
}

async function rewardFindings(db: Db): Promise<Finding[]> {
  const { good, bad } = findingsFor('rewards')
  const findings: Finding[] = []
  for (const asset of ['COIN', 'USD'] as const) {
    const { pool, committed, promised, owed } = await coverageOf(db, asset)
    const fund = shellCommand(`staff fund-reward-pool asset=${asset.toLowerCase()} amount=AMOUNT source=operator reason=TEXT`)
    if (owed > 0n) findings.push(bad(`${formatUnits(owed)} ${asset} of rewards are owed: the pool is empty`, fund))
    if (pool + committed <= promised + owed)
      findings.push(bad(`every sale with rewards in ${asset} is refused: pool and commitment are fully used`, fund))
    else findings.push(good(`${formatFixed(pool + committed - promised - owed)} ${asset} are available for new rewards`))
  }
  return findings
}

/** Hours after which a waiting request is reported. */
const WAIT_HOURS = 24

async function queueFindings(db: Db, now: Date): Promise<Finding[]> {
  const { good, warning } = findingsFor('queues')
  const { rows } = await sql<{ kind: string; count: number; oldest: Date }>`
    select kind, count(*)::int as count, min(created_at) as oldest from payout_request where status = 'PENDING' and kind <> 'transfer' group by kind order by kind`.execute(
    db,
  )
  const old = rows.filter(({ oldest }) => now.getTime() - oldest.getTime() > WAIT_HOURS * 3_600_000)
  if (old.length === 0) return [good('no payout has been pending longer than a day')]
  return old.map(({ kind, count, oldest }) =>
    warning(
      `${count === 1 ? `one ${kind} has been pending` : `${count} ${kind}s have been pending, the oldest`} for ${formatAge((now.getTime() - oldest.getTime()) / 1000)}`,
      shellCommand(`staff queue kind=${kind}s status=PENDING`),
      { since: oldest },
    ),
  )
}
